package io.reactiveinformer.sharding;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import java.util.List;
import java.util.stream.Stream;

/**
 * How keys are divided among the members of a group: each key for itself, or all keys of a namespace together; and which informers cache
 * only this member's share.
 *
 * <pre>{@code
 * Division.byKey().narrowing(images)                  // for a controller whose views only use Route.self()
 * Division.byNamespace().narrowing(replicaSets, pods) // if other objects in the same namespace wake keys too
 * }</pre>
 *
 * <p>A narrowed informer must be used by this controller only, and be
 * {@linkplain io.reactiveinformer.informer.InformerSpec#coldStart started cold}. It caches nothing before this member has a share. When the
 * share grows, it lists again; cached objects are not decoded again. Objects outside of the share are still sent by the server, but skipped
 * before they are decoded.
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

    /** Divides the keys one by one, whatever their namespace. */
    public static Division byKey() {
        return BY_KEY;
    }

    /** Gives all keys of a namespace to the same member. Keys without a namespace are divided one by one. */
    public static Division byNamespace() {
        return BY_NAMESPACE;
    }

    /**
     * A copy in which {@code informers}, in addition to those narrowed before, cache only this member's share and the keys that it is still
     * working on. Work on a key begins when all of them cache it.
     *
     * @param informers whose objects wake only keys of the same member: by key their own, by namespace any in the same namespace
     */
    public Division narrowing(Informer<?>... informers) {
        return new Division(namespaces, Stream.concat(narrowed.stream(), Stream.of(informers)).toList());
    }

    List<Informer<?>> narrowed() {
        return narrowed;
    }

    /** A hash that is equal for keys that belong to the same member. */
    long hash(Object key) {
        String namespace = namespaces && key instanceof ObjectKey named ? named.namespace() : null;
        return Rendezvous.hash(namespace == null ? key.toString() : namespace);
    }
}
