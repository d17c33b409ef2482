package io.reactiveinformer.internal;

import org.jspecify.annotations.Nullable;

/** The causes of a failure. */
public final class Causes {

    private Causes() {}

    /** The first of this kind among the failure and twenty of its causes, which may be a circle; null if there is none. */
    public static <T extends Throwable> @Nullable T find(@Nullable Throwable failure, Class<T> kind) {
        int depth = 0;
        for (Throwable at = failure; at != null && depth < 20; at = at.getCause(), depth++) {
            if (kind.isInstance(at)) {
                return kind.cast(at);
            }
        }
        return null;
    }
}
