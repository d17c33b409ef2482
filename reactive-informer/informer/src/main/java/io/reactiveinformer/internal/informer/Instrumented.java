package io.reactiveinformer.internal.informer;

import java.util.function.UnaryOperator;

/** Has parts that can be wrapped between its creation and its start, such as its observer. For our modules with meters and observations. */
public interface Instrumented {

    /**
     * Replaces the parts of this type by what {@code around} returns for them. No effect if there are none, or if this has begun: what
     * counts would miss the beginning.
     *
     * @param part an interface, whose parts have the type arguments of this
     */
    <P> void wrap(Class<P> part, UnaryOperator<P> around);

    /** As {@link #wrap}, on anything that may be instrumented. No effect if it cannot be. */
    static <P> void wrap(Object instrumented, Class<P> part, UnaryOperator<P> around) {
        if (instrumented instanceof Instrumented some) {
            some.wrap(part, around);
        }
    }
}
