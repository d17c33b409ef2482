package io.reactiveinformer.queue;

/** Saturating arithmetic: results are clamped to {@link Long#MIN_VALUE} and {@link Long#MAX_VALUE} instead of overflowing. */
final class Saturated {

    private Saturated() {}

    static long times(int one, long other) {
        long high = Math.multiplyHigh(one, other);
        long low = one * other;
        return high == low >> 63 ? low : high < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    static long minus(long one, long other) {
        long result = one - other;
        boolean turned = ((one ^ other) & (one ^ result)) < 0;
        return !turned ? result : one < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
}
