package io.reactiveinformer.source;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.Known;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.WatchEvent;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Lists and watches one type in one part of the cluster. Each subscription is one request. Contracts as in
 * {@link io.reactiveinformer.client.ResourceClient#list} and {@link io.reactiveinformer.client.ResourceClient#watch}.
 */
public interface ListerWatcher<T> {

    /** All that is in {@code part}: {@link Scope#all()} or one namespace. */
    static <T> ListerWatcher<T> over(KubernetesClient client, ResourceType<T> type, Scope part) {
        return over(client, type, part, Selector.any());
    }

    /** What {@code selector} matches; it goes with each list and watch. */
    static <T> ListerWatcher<T> over(KubernetesClient client, ResourceType<T> type, Scope part, Selector selector) {
        return new ClientListerWatcher<>(client.resources(type), type, part, selector);
    }

    /** What is listed and watched here, for messages: {@code pods.v1 in namespace prod}. */
    String description();

    /** The part of the cluster: {@link Scope#all()} or one namespace. */
    Scope part();

    /**
     * Whether an object may come to be shown otherwise without a new version of it, as those of a CustomResourceDefinition are when that changes.
     * What is listed again is then read in any case, and compared with what is held in the same version.
     */
    default boolean redefinable() {
        return false;
    }

    /**
     * Whether no try will ever do better than one that was refused so: the request itself is a mistake, which only the caller can mend. A
     * reflector that has listed nothing yet then ends with it, after three tries.
     */
    default boolean neverTakes(StatusException refusal) {
        return false;
    }

    /**
     * One object as it is at one version of the server's history, and then the end; only the end if there is no such object. With this small
     * request, a reflector makes sure that the history is still the one that it knows before it resumes after a connection that broke.
     *
     * <p>The default asks nothing and is empty: then a reflector resumes without this proof.
     *
     * @param key of an object that was listed or watched here; null for any
     * @param resourceVersion a version that the server sent
     * @param match whether the state is that of exactly this version, or of this or a later one
     */
    default Flux<ListEvent<T>> one(@Nullable ObjectKey key, String resourceVersion, ListOptions.Match match, Known<T> known) {
        return Flux.empty();
    }

    /** One page. The selector of {@code options} is this source's, whatever it says. */
    Flux<ListEvent<T>> list(ListOptions options, Known<T> known);

    Flux<WatchEvent<T>> watch(WatchOptions options, Known<T> known);
}
