package io.reactiveinformer.informer;

import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Selector;
import java.util.function.UnaryOperator;

/**
 * Which informer is wanted of a factory. Who wants the same type (with its projection), scope, selector and transform shares one.
 *
 * @param transform changes each object before it is cached; must be quick, and the same function for those who are to share. An object on which
 *     it throws is kept as it was, and named as stale
 * @param options what this informer does otherwise than its factory's do; that of who asks first counts
 */
public record InformerSpec<T>(
        ResourceType<T> type, Scope scope, Selector selector, UnaryOperator<T> transform, UnaryOperator<ReflectorOptions<T>> options) {

    private static final UnaryOperator<?> AS_IT_IS = UnaryOperator.identity();

    /** Everything of {@code type}, everywhere. */
    public static <T> InformerSpec<T> of(ResourceType<T> type) {
        return new InformerSpec<>(type, Scope.all(), Selector.any(), asItIs(), asItIs());
    }

    @SuppressWarnings("unchecked") // it gives what it is given
    private static <X> UnaryOperator<X> asItIs() {
        return (UnaryOperator<X>) AS_IT_IS;
    }

    public InformerSpec<T> in(Scope other) {
        return new InformerSpec<>(type, other, selector, transform, options);
    }

    public InformerSpec<T> select(Selector other) {
        return new InformerSpec<>(type, scope, other, transform, options);
    }

    public InformerSpec<T> transform(UnaryOperator<T> other) {
        return new InformerSpec<>(type, scope, selector, other, options);
    }

    public InformerSpec<T> options(UnaryOperator<ReflectorOptions<T>> other) {
        return new InformerSpec<>(type, scope, selector, transform, other);
    }

    boolean transforms() {
        return !transform.equals(AS_IT_IS);
    }
}
