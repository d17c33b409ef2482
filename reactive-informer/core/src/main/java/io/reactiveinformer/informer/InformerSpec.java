package io.reactiveinformer.informer;

import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Selector;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Which informer is wanted of a factory. Who wants the same type (with its projection), scope, selector and transform shares one.
 *
 * @param transform changes each object before it is cached; must be quick, and the same function for those who are to share. An object on which
 *     it throws is kept as it was, and named as stale
 * @param snapshots what it begins with after a restart, see {@link #warmStart}; null for what its factory says; that of who asks first counts
 * @param edition names what {@code transform} makes of an object
 * @param options what this informer does otherwise than its factory's do; that of who asks first counts
 */
public record InformerSpec<T>(
        ResourceType<T> type,
        Scope scope,
        Selector selector,
        UnaryOperator<T> transform,
        UnaryOperator<ReflectorOptions<T>> options,
        @Nullable SnapshotStore snapshots,
        String edition) {

    private static final UnaryOperator<?> AS_IT_IS = UnaryOperator.identity();

    /** @throws IllegalArgumentException if objects of {@code type} live in no namespace and {@code scope} names some */
    public InformerSpec {
        type.requirePart(scope);
    }

    /** Everything of {@code type}, everywhere. */
    public static <T> InformerSpec<T> of(ResourceType<T> type) {
        return new InformerSpec<>(type, Scope.all(), Selector.any(), asItIs(), asItIs(), null, "");
    }

    @SuppressWarnings("unchecked") // it gives what it is given
    private static <X> UnaryOperator<X> asItIs() {
        return (UnaryOperator<X>) AS_IT_IS;
    }

    public InformerSpec<T> in(Scope other) {
        return new InformerSpec<>(type, other, selector, transform, options, snapshots, edition);
    }

    public InformerSpec<T> select(Selector other) {
        return new InformerSpec<>(type, scope, other, transform, options, snapshots, edition);
    }

    /**
     * Changes each object before anyone sees it, to keep less of it, in the thread that reads. The function may change what it is given, but for its
     * collections, which cannot be changed, and gives it or another back; what it gave back it is never given again. So objects share no equal parts
     * then, and what is left in them takes twice the room or more; a {@linkplain ResourceType#as projection} needs less. One on which it throws is as
     * one that cannot be read.
     */
    public InformerSpec<T> transform(UnaryOperator<T> other) {
        return new InformerSpec<>(type, scope, selector, other, options, snapshots, edition);
    }

    public InformerSpec<T> options(UnaryOperator<ReflectorOptions<T>> other) {
        return new InformerSpec<>(type, scope, selector, transform, other, snapshots, edition);
    }

    /** As {@link #warmStart(SnapshotStore, String)}, without a transform. */
    public InformerSpec<T> warmStart(SnapshotStore store) {
        return warmStart(store, "");
    }

    /**
     * Keeps in {@code store} what the informer holds, and begins with it after a restart: listers have it at once, {@code status()} says since
     * when it is stale, and where the server still has the history since then, nothing is listed at
     * once; a server that sends no bookmarks may be asked for a list later, as ever. {@link Informer#synced} waits until the server
     * has told what happened since then. What is kept are whole objects, as they are cached.
     *
     * @param edition names what the transform makes of an object, and has to change with it: what is kept in another edition is not used. Must
     *     not be empty where there is a transform. A factory refuses to keep what two transforms make of the same objects as one edition
     */
    public InformerSpec<T> warmStart(SnapshotStore store, String edition) {
        return new InformerSpec<>(type, scope, selector, transform, options, store, edition);
    }

    /** Keeps nothing of this informer, whatever its factory keeps of the others: it begins with a list. */
    public InformerSpec<T> coldStart() {
        return warmStart(new KeepsNothing());
    }

    /** What it keeps, for messages and meters: {@code pods.v1 in namespace prod, labels "app=web"}. What the transform does is not in it. */
    public String description() {
        String all = type.in(scope);
        return selector.equals(Selector.any()) ? all : all + ", " + selector;
    }

    boolean transforms() {
        return !transform.equals(AS_IT_IS);
    }
}
