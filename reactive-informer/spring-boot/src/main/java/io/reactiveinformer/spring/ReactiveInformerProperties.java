package io.reactiveinformer.spring;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the cluster and the informers. An application that needs more defines the bean itself; the properties of that bean are then
 * ignored.
 *
 * @param enabled whether client, factory and informers are configured
 * @param url address of the API server, such as https://host:6443; by default the one that kubectl would use, and in a pod that of its
 *     service account
 * @param token bearer token; only together with a url
 * @param kubeconfig files to read instead of those that kubectl would read; not together with a url
 * @param context context of the kubeconfig; its current one by default
 * @param waitForKubeconfig whether the application starts although the kubeconfig that it names is absent or wrong, and tries again
 *     until it can be read, such as one that is mounted later; by default the start fails
 * @param namespaces namespaces of each informer of a namespaced type that declares none of its own; all by default
 * @param autoStartup whether informers are started with the application
 * @param waitForSync longest time that the start of the application waits for the first complete state of all informers; after that it
 *     fails with the cause. By default it does not wait: the readiness probe shows when the state is complete
 * @param grace time that subscribers have to receive pending changes, and snapshots to be saved, when the application stops
 * @param snapshots directory in which informers save their objects, to begin with them after a restart; nothing is saved by default
 * @param streamingLists whether informers request the complete state as a streaming list, which takes less of the server's memory and more
 *     of its time
 * @param informers informers by name; each is a bean of that name followed by Informer
 */
@ConfigurationProperties(ReactiveInformerProperties.PREFIX)
record ReactiveInformerProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String url,
        @Nullable String token,
        @DefaultValue List<Path> kubeconfig,
        @Nullable String context,
        @DefaultValue("false") boolean waitForKubeconfig,
        @DefaultValue List<String> namespaces,
        @DefaultValue("true") boolean autoStartup,
        @Nullable Duration waitForSync,
        @DefaultValue("10s") Duration grace,
        @Nullable Path snapshots,
        @DefaultValue("false") boolean streamingLists,
        @DefaultValue Map<String, Declared> informers) {

    static final String PREFIX = "reactive-informer";

    /** A blank url, token or context counts as unset, as with {@code url: ${API_SERVER:}}. */
    ReactiveInformerProperties {
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
        return "ReactiveInformerProperties[url=" + url + ", context=" + context + ", kubeconfig="
                + kubeconfig + ", namespaces=" + namespaces + ", informers=" + informers + "]";
    }

    /**
     * One informer.
     *
     * @param type class of the objects: one of the Kubernetes models by its simple or full name, such as V1Pod
     * @param namespaces of this informer, instead of those of all informers
     * @param labels label selector, such as app=web,tier!=db
     * @param fields field selector, such as spec.nodeName=n1
     * @param resync period after which the handlers that are beans are notified of each object again; never by default
     */
    public record Declared(
            String type, @DefaultValue List<String> namespaces, @DefaultValue("") String labels,
            @DefaultValue("") String fields, @Nullable Duration resync) {

        /** @throws IllegalArgumentException if {@code resync} is zero or negative */
        public Declared {
            if (resync != null && (resync.isNegative() || resync.isZero())) {
                throw new IllegalArgumentException("resync must be longer than zero, was " + resync);
            }
        }
    }
}
