package io.reactiveinformer.informer;

import io.reactiveinformer.internal.warmstart.KeepsNothing;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.warmstart.WarmStartStorage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Which informer a factory is asked for. Callers that ask for the same type (with its projection), namespaces, selector and transform share
 * one.
 *
 * @param transform changes each object before it is cached; must be quick, and the same function for all that share. If it throws for an
 *     object, the state of it that was cached before stays, and the object is named as stale
 * @param snapshots what it begins with after a restart, see {@link #warmStart}; null for the factory's; the first requester's value wins
 * @param edition names what {@code transform} makes of an object
 * @param options what differs from the factory's options; the first requester's value wins
 */
public record InformerSpec<T>(
        ResourceType<T> type,
        Namespaces namespaces,
        Selector selector,
        UnaryOperator<T> transform,
        UnaryOperator<ReflectorOptions> options,
        @Nullable WarmStartStorage snapshots,
        String edition) {

    private static final UnaryOperator<?> AS_IT_IS = UnaryOperator.identity();

    /** @throws IllegalArgumentException if objects of {@code type} live in no namespace and {@code namespaces} names some */
    public InformerSpec {
        type.requirePart(namespaces);
    }

    /** All objects of {@code type} in the whole cluster, with nothing else set. */
    public static <T> InformerSpec<T> of(ResourceType<T> type) {
        return new InformerSpec<>(type, Namespaces.all(), Selector.any(), asItIs(), asItIs(), null, "");
    }

    @SuppressWarnings("unchecked") // returns its argument
    private static <X> UnaryOperator<X> asItIs() {
        return (UnaryOperator<X>) AS_IT_IS;
    }

    /**
     * A copy for {@code other}: the whole cluster, or some namespaces.
     *
     * @throws IllegalArgumentException if objects of {@code type} live in no namespace and {@code other} names some
     */
    public InformerSpec<T> in(Namespaces other) {
        return new InformerSpec<>(type, other, selector, transform, options, snapshots, edition);
    }

    /** A copy for the objects that {@code other} matches. The server selects; it replaces the selector so far. */
    public InformerSpec<T> select(Selector other) {
        return new InformerSpec<>(type, namespaces, other, transform, options, snapshots, edition);
    }

    /**
     * A copy with a function that changes each object before it is cached, to keep less of it. It runs on the thread that reads. It may
     * change the object that it is given, except its collections, which are unmodifiable, and returns that object or another one; it is
     * never given its own result again. Objects then share no equal parts, and what is left in them takes twice the room or more; a
     * {@linkplain ResourceType#as projection} needs less. An object for which the function throws is treated as one that cannot be read.
     */
    public InformerSpec<T> transform(UnaryOperator<T> other) {
        return new InformerSpec<>(type, namespaces, selector, other, options, snapshots, edition);
    }

    /**
     * A copy whose informer has other options than the factory's.
     *
     * @param other is given the factory's options when the informer is made
     */
    public InformerSpec<T> options(UnaryOperator<ReflectorOptions> other) {
        return new InformerSpec<>(type, namespaces, selector, transform, other, snapshots, edition);
    }

    /** As {@link #warmStart(WarmStartStorage, String)}, without a transform. */
    public InformerSpec<T> warmStart(WarmStartStorage store) {
        return warmStart(store, "");
    }

    /**
     * A copy that saves in {@code store} what the informer caches, and begins with it after a restart. Listers then have it at once, and
     * {@code status()} says since when it is stale. If the server still has the history since then, nothing is listed at once; a server
     * that sends no bookmarks may be asked for a list later, as always. {@link Informer#synced} waits until the server has sent what
     * happened since then. Whole objects are saved, as they are cached.
     *
     * @param edition names what the transform makes of an object, and has to change with it: what is saved under another edition is not
     *     used. Must not be empty where there is a transform. A factory refuses to save what two transforms make of the same objects as one
     *     edition
     */
    public InformerSpec<T> warmStart(WarmStartStorage store, String edition) {
        return new InformerSpec<>(type, namespaces, selector, transform, options, store, edition);
    }

    /** A copy that saves nothing, whatever its factory saves of other informers: it begins with a list. */
    public InformerSpec<T> coldStart() {
        return warmStart(new KeepsNothing());
    }

    /**
     * What the informer caches, for messages and meters: {@code pods.v1 in namespace prod, labels "app=web"}. Does not describe the
     * transform.
     */
    public String description() {
        String all = type.in(namespaces);
        return selector.equals(Selector.any()) ? all : all + ", " + selector;
    }

    boolean transforms() {
        return !transform.equals(AS_IT_IS);
    }
}
