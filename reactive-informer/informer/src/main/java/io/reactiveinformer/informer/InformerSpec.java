package io.reactiveinformer.informer;

import io.reactiveinformer.internal.warmstart.KeepsNothing;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.warmstart.WarmStartStorage;
import java.util.Arrays;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Describes an informer that is requested from a factory. Callers that request the same type (with its projection), namespaces, selector,
 * transform and refusals that count as empty share one informer. Immutable.
 *
 * @param <T> the objects
 * @param type the type of the objects
 * @param namespaces the namespaces to watch
 * @param selector selects the objects, on the server
 * @param transform changes each object before it is cached; must be quick, and the same instance for all callers that share the informer.
 *     If it throws for an object, the state that was cached before stays, and the status lists the object as stale
 * @param options changes the options of the factory for this informer; the first requester's value counts
 * @param snapshots where the objects are saved for a restart, see {@link #withWarmStart}; null for the storage of the factory; the first
 *     requester's value counts
 * @param edition names the version of {@code transform}, see {@link #withWarmStart(WarmStartStorage, String)}
 * @param refusedAsEmpty the status codes of the refusals for which a namespace counts as complete and empty, see
 *     {@link #withRefusedAsEmpty}
 */
public record InformerSpec<T>(
        ResourceType<T> type,
        Namespaces namespaces,
        Selector selector,
        UnaryOperator<T> transform,
        UnaryOperator<ReflectorOptions> options,
        @Nullable WarmStartStorage snapshots,
        String edition,
        Set<Integer> refusedAsEmpty) {

    /** The refusals that last until a person changes something, and that say nothing of other namespaces or of the request. */
    private static final Set<Integer> LASTING = Set.of(401, 403, 404, 405);

    private static final UnaryOperator<?> AS_IT_IS = UnaryOperator.identity();

    /**
     * Keeps an immutable copy of the set.
     *
     * @throws IllegalArgumentException if {@code type} is cluster-scoped and {@code namespaces} is not {@link Namespaces#all}, or if
     *     {@code refusedAsEmpty} has a code other than 401, 403, 404 and 405
     */
    public InformerSpec {
        type.requirePart(namespaces);
        refusedAsEmpty = Set.copyOf(refusedAsEmpty);
        if (!LASTING.containsAll(refusedAsEmpty)) {
            throw new IllegalArgumentException(type + ": only 401, 403, 404 and 405 can count as empty, was " + refusedAsEmpty
                    + "; after any other answer the server may have objects, and is asked again soon");
        }
    }

    /** A spec of all objects of {@code type} in the cluster, with all other settings at their defaults. */
    public static <T> InformerSpec<T> of(ResourceType<T> type) {
        return new InformerSpec<>(type, Namespaces.all(), Selector.any(), asItIs(), asItIs(), null, "", Set.of());
    }

    @SuppressWarnings("unchecked") // returns its argument
    private static <X> UnaryOperator<X> asItIs() {
        return (UnaryOperator<X>) AS_IT_IS;
    }

    /**
     * A copy for these namespaces.
     *
     * @throws IllegalArgumentException if the type is cluster-scoped and {@code other} is not {@link Namespaces#all}
     */
    public InformerSpec<T> withNamespaces(Namespaces other) {
        return new InformerSpec<>(type, other, selector, transform, options, snapshots, edition, refusedAsEmpty);
    }

    /** A copy for the objects that {@code other} matches; it replaces the present selector. The server selects the objects. */
    public InformerSpec<T> withSelector(Selector other) {
        return new InformerSpec<>(type, namespaces, other, transform, options, snapshots, edition, refusedAsEmpty);
    }

    /**
     * A copy with a function that changes each object before it is cached, to keep less of it. The function runs on the thread that decodes
     * the object. It may change its argument, except the collections in it, which are unmodifiable, and returns its argument or another
     * object. It is never called with its own result. Transformed objects share no equal parts with each other, so each part of them takes
     * twice the memory or more; a {@linkplain ResourceType#as projection} needs less. If the function throws, the object counts as
     * unreadable.
     */
    public InformerSpec<T> withTransform(UnaryOperator<T> other) {
        return new InformerSpec<>(type, namespaces, selector, other, options, snapshots, edition, refusedAsEmpty);
    }

    /**
     * A copy with a function that changes the options of the factory for this informer.
     *
     * @param other called with the options of the factory when the informer is created
     */
    public InformerSpec<T> withOptions(UnaryOperator<ReflectorOptions> other) {
        return new InformerSpec<>(type, namespaces, selector, transform, other, snapshots, edition, refusedAsEmpty);
    }

    /** As {@link #withWarmStart(WarmStartStorage, String)}, for a spec without a transform. */
    public InformerSpec<T> withWarmStart(WarmStartStorage store) {
        return withWarmStart(store, "");
    }

    /**
     * A copy whose informer saves its objects in {@code store}, and begins with them after a restart. Listers then have them at once, and
     * {@code status()} shows since when they are stale. If the server still has the history since then, the informer does not list at the
     * start; without bookmarks it may have to list later, as always. {@link Informer#synced} waits until the server has sent the changes
     * since then. Objects are saved as they are cached, whole.
     *
     * @param store where the objects are saved
     * @param edition names the version of the transform, and must change with it: objects that were saved under another edition are not
     *     used. Must not be empty if there is a transform. A factory refuses a spec that would save results of another transform under the
     *     same edition
     */
    public InformerSpec<T> withWarmStart(WarmStartStorage store, String edition) {
        return new InformerSpec<>(type, namespaces, selector, transform, options, store, edition, refusedAsEmpty);
    }

    /** A copy whose informer saves nothing and begins with a list, even if its factory has a storage. */
    public InformerSpec<T> withColdStart() {
        return withWarmStart(new KeepsNothing());
    }

    /**
     * A copy whose informer counts a namespace as complete and empty while the server refuses to list it with one of these status codes.
     * So one forbidden namespace does not stop the changes, handlers, controllers and derived views of the others: {@link
     * Informer#synced} completes, and {@code changes()} emits {@code Synced}. Without this, they wait until each namespace was listed.
     *
     * <p>{@code status().parts()} has the refusal as the cause of that namespace, which is not synced there; the status of the informer is
     * that of its other namespaces. If there is no other one, as for all namespaces of a cluster, or for a type that is not installed
     * (404), the informer is synced and {@code DISRUPTED}, with that cause. It goes on trying, with the usual pauses: objects that can be
     * listed later are additions that are not initial. A refusal deletes nothing: objects that were received before it stay, and so do
     * those of a warm start. {@code await} and the like wait for an object of such a namespace.
     *
     * <p>401 refuses the credentials, and so all namespaces at once: with it, a program that starts with a wrong token takes the cluster
     * for empty.
     *
     * @param codes of 401, 403, 404 and 405; they replace the present ones; none, the default, to wait for each namespace
     * @throws IllegalArgumentException if there is another code
     */
    public InformerSpec<T> withRefusedAsEmpty(int... codes) {
        return new InformerSpec<>(
                type, namespaces, selector, transform, options, snapshots, edition,
                Arrays.stream(codes).boxed().collect(Collectors.toUnmodifiableSet()));
    }

    /**
     * Describes the objects of the informer, for messages and meters: {@code pods.v1 in namespace prod, labels "app=web"}. Does not
     * describe the transform.
     */
    public String description() {
        String all = type.in(namespaces);
        return selector.equals(Selector.any()) ? all : all + ", " + selector;
    }

    boolean transforms() {
        return !transform.equals(AS_IT_IS);
    }
}
