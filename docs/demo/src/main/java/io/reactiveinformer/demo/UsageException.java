package io.reactiveinformer.demo;

/** The user's arguments are invalid; the message says in one line what to write instead. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
