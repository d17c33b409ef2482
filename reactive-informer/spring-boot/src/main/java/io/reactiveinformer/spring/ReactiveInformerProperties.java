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
 * ignored. The sentences of the parameters are what editors show.
 *
 * @param enabled Whether to configure a client, a factory and informers.
 * @param url Address of the API server, such as 'https://host:6443'. By default, the one that kubectl would use, and in a pod that of its
 *     service account.
 * @param token Bearer token, which needs a url.
 * @param kubeconfig Files to read instead of those that kubectl would read. Cannot be combined with a url.
 * @param context Context of the kubeconfig. By default, its current one.
 * @param waitForKubeconfig Whether to start although the kubeconfig is absent or wrong, and to try again until it can be read. By default,
 *     the start fails.
 * @param namespaces Namespaces of each informer of a namespaced type that declares none of its own. By default, all.
 * @param autoStartup Whether to start the informers with the application.
 * @param waitForSync Longest time that the start of the application waits for the first complete state of all informers that are not
 *     optional. By default, it does not wait.
 * @param maxStaleness How old the objects of an informer that is not optional may be before the application is no longer ready. By default,
 *     it stays ready with what it has.
 * @param grace Time that subscribers have to receive pending changes, snapshots to be saved and Events to be written, when the application
 *     stops.
 * @param snapshots Directory in which informers save their objects, to begin with them after a restart. By default, nothing is saved.
 * @param streamingLists Whether to request the complete state as a streaming list, which takes less of the server's memory and more of its
 *     time.
 * @param informers Informers by name. Each is a bean of that name followed by 'Informer'.
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
        @Nullable Duration maxStaleness,
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
     * @param type Class of the objects, a Kubernetes model by its simple name, such as 'V1Pod', or any class by its full name.
     * @param namespaces Namespaces of this informer, instead of those of all informers.
     * @param labels Label selector, such as 'app=web,tier!=db'.
     * @param fields Field selector, such as 'spec.nodeName=n1'.
     * @param group API group of the objects, for a class that is no Kubernetes model. By default, the core group.
     * @param version API version of the objects, such as 'v1', for a class that is no Kubernetes model.
     * @param plural Lower-case plural of the objects in the URL, such as 'widgets', for a class that is no Kubernetes model.
     * @param namespaced Whether the objects live in namespaces, for a class that is no Kubernetes model. By default, they do.
     * @param projection Full name of a record with the properties to cache. The rest of each object is skipped when it is decoded.
     * @param optional Whether the application is ready, and starts, although this informer is not synced, as when it is forbidden. A
     *     namespace that is forbidden, or a type that does not exist, counts as empty then.
     * @param resync Period after which the handlers that are beans are notified of each object again. By default, never.
     * @param delivery What the handlers that are beans receive, 'conflated' for the newest state of each object, or 'every(n)' for each
     *     state, with n waiting changes at most: where more wait, states are missed, which is logged.
     * @param warmStart Whether to save the objects in the directory of all snapshots. By default, if there is one and they are not Secrets.
     * @param streamingLists Whether to request the complete state as a streaming list, instead of the value for all informers.
     * @param pageSize Most objects in one answer to a list that does not stream.
     */
    public record Declared(
            @Nullable String type, @DefaultValue List<String> namespaces, @DefaultValue("") String labels,
            @DefaultValue("") String fields, @Nullable String group, @Nullable String version, @Nullable String plural,
            @Nullable Boolean namespaced, @Nullable String projection, @DefaultValue("false") boolean optional,
            @Nullable Duration resync, @DefaultValue("conflated") String delivery, @Nullable Boolean warmStart,
            @Nullable Boolean streamingLists, @Nullable Integer pageSize) {}
}
