package io.reactiveinformer.spring;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an application says about its cluster and its informers. Who needs more defines the bean itself, and this is not asked.
 *
 * @param enabled whether anything of this is configured at all
 * @param url address of the API server, such as https://host:6443; by default what kubectl would take, and in a pod its service account
 * @param token bearer token, with a url
 * @param kubeconfig files to read instead of those that kubectl would; not together with a url
 * @param context of the kubeconfig; its current one by default
 * @param namespaces of all informers that name none of their own and whose type has namespaces; all by default
 * @param autoStartup whether informers are started with the application
 * @param waitForSync how long the start of the application waits for the first complete state, and then fails, saying what stood in the way; by default it
 *     does not wait, and the readiness probe says when there is one
 * @param grace how long subscribers have for what is pending, and snapshots for being saved, when the application stops
 * @param snapshots directory in which informers keep what they hold, to begin with it after a restart; nothing is kept by default
 * @param streamingLists whether informers ask for the complete state as a streaming list, which takes less of the server's memory and more of its time
 * @param informers by name: each is a bean of its name followed by Informer
 */
@ConfigurationProperties(ReactiveInformerProperties.PREFIX)
public record ReactiveInformerProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String url,
        @Nullable String token,
        @DefaultValue List<Path> kubeconfig,
        @Nullable String context,
        @DefaultValue List<String> namespaces,
        @DefaultValue("true") boolean autoStartup,
        @Nullable Duration waitForSync,
        @DefaultValue("10s") Duration grace,
        @Nullable Path snapshots,
        @DefaultValue("false") boolean streamingLists,
        @DefaultValue Map<String, Declared> informers) {

    static final String PREFIX = "reactive-informer";

    /** What is blank was not said, as with {@code url: ${API_SERVER:}}. */
    public ReactiveInformerProperties {
        url = said(url);
        token = said(token);
        context = said(context);
    }

    private static @Nullable String said(@Nullable String text) {
        return text == null || text.isBlank() ? null : text;
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "ReactiveInformerProperties[url=" + url + ", context=" + context + ", kubeconfig=" + kubeconfig + ", namespaces=" + namespaces + ", informers=" + informers + "]";
    }

    /**
     * One informer.
     *
     * @param type class of the objects: one of the Kubernetes models by its simple name, such as V1Pod, or any by its full name
     * @param namespaces those that it is of, instead of those of all informers
     * @param labels selector of labels, such as app=web,tier!=db
     * @param fields selector of fields, such as spec.nodeName=n1
     * @param resync period after which each object is told again to the handlers that are beans; never by default
     */
    public record Declared(
            String type, @DefaultValue List<String> namespaces, @DefaultValue("") String labels, @DefaultValue("") String fields, @Nullable Duration resync) {

        public Declared {
            if (resync != null && (resync.isNegative() || resync.isZero())) {
                throw new IllegalArgumentException("resync must be longer than zero, was " + resync);
            }
        }
    }
}
