package io.reactiveinformer.internal.codec;

/**
 * A value is longer or larger than any that a server writes, so it is not read. The message names its length and the limit, and quotes
 * nothing of its content.
 */
final class BeyondLimitException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** @param what is beyond which limit: {@code 400000 characters, of which at most 100 are read} */
    BeyondLimitException(String what) {
        super(what);
    }

    /** @throws BeyondLimitException if {@code text} is longer than {@code most} */
    static void check(String text, int most) {
        if (text.length() > most) {
            throw new BeyondLimitException(text.length() + " characters, of which at most " + most + " are read");
        }
    }
}
