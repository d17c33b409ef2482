package io.reactiveinformer.test.errors;

import java.io.IOException;
import java.util.function.Supplier;

/** Throws once, at the place where it was laid. */
final class Bomb {

    /** What Reactor takes for fatal and rethrows, what it does not, and what no signature announces. */
    enum Kind {
        OUT_OF_MEMORY(() -> new OutOfMemoryError("planned")),
        STACK_OVERFLOW(() -> new StackOverflowError("planned")),
        MISSING_CLASS(() -> new NoClassDefFoundError("planned")),
        @SuppressWarnings("removal") // still thrown by some, and fatal to Reactor
        THREAD_DEATH(ThreadDeath::new),
        CHECKED(() -> new IOException("planned"));

        private final Supplier<Throwable> thrown;

        Kind(Supplier<Throwable> thrown) {
            this.thrown = thrown;
        }
    }

    private String place = "";
    private Kind kind = Kind.CHECKED;
    private int skipped;
    private boolean exploded;

    void lay(String where, Kind what, int after) {
        place = where;
        kind = what;
        skipped = after;
        exploded = false;
    }

    boolean exploded() {
        return exploded;
    }

    void at(String where) {
        if (where.equals(place) && skipped-- == 0) {
            place = "";
            exploded = true;
            throwAny(kind.thrown.get());
        }
    }

    @SuppressWarnings("unchecked") // there are languages that know no checked exceptions
    private static <X extends Throwable> void throwAny(Throwable thrown) throws X {
        throw (X) thrown;
    }
}
