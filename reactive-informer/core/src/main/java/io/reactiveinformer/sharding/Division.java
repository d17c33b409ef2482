package io.reactiveinformer.sharding;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is divided among the members of a group: the keys one by one, or all that is in a namespace together; and which informers hold our share only.
 *
 * <pre>{@code
 * Division.byKey().narrowing(images)                  // of a controller that is woken by its own objects alone: Route.self()
 * Division.byNamespace().narrowing(replicaSets, pods) // of one that is woken by others too: what belongs together is in one namespace
 * }</pre>
 *
 * <p>An informer that is narrowed must be of this controller only, and be {@linkplain io.reactiveinformer.informer.InformerSpec#coldStart started cold}. It holds
 * nothing before we have a share. When the share grows, it lists again: what it holds already is not decoded again. What is not ours is passed by before it is
 * decoded, but is sent nevertheless.
 */
public final class Division {

    private static final Division BY_KEY = new Division(false, List.of());
    private static final Division BY_NAMESPACE = new Division(true, List.of());

    private final boolean namespaces;
    private final List<Informer<?>> narrowed;

    private Division(boolean namespaces, List<Informer<?>> narrowed) {
        this.namespaces = namespaces;
        this.narrowed = narrowed;
    }

    /** Each key for itself, wherever it is. */
    public static Division byKey() {
        return BY_KEY;
    }

    /** All keys of a namespace have the same worker. Of those without one, each is for itself. */
    public static Division byNamespace() {
        return BY_NAMESPACE;
    }

    /**
     * With {@code informers}, besides those that were named before, that hold no more than our share, and those keys that we are still working on. A key is begun when all of them have it.
     *
     * @param informers whose objects wake no keys but such as belong to the same member: by key their own, by namespace any in the same namespace
     */
    public Division narrowing(Informer<?>... informers) {
        return new Division(namespaces, Stream.concat(narrowed.stream(), Stream.of(informers)).toList());
    }

    List<Informer<?>> narrowed() {
        return narrowed;
    }

    /** Equal for those that go together. */
    long hash(Object key) {
        String namespace = namespaces && key instanceof ObjectKey named ? named.namespace() : null;
        return Rendezvous.hash(namespace == null ? key.toString() : namespace);
    }
}
