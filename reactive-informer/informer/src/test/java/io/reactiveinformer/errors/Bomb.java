package io.reactiveinformer.errors;

import io.reactiveinformer.Rounds;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Throws once, at the place where it was laid. */
public final class Bomb {

    /** What Reactor takes for fatal and rethrows, what it does not, what no signature announces, and what everybody throws. */
    public enum Kind {
        OUT_OF_MEMORY, STACK_OVERFLOW, MISSING_CLASS, THREAD_DEATH, CHECKED, UNCHECKED;

        @SuppressWarnings("removal") // ThreadDeath is still thrown by some, and fatal to Reactor
        private Throwable make() {
            return switch (this) {
                case OUT_OF_MEMORY -> new OutOfMemoryError("planned");
                case STACK_OVERFLOW -> new StackOverflowError("planned");
                case MISSING_CLASS -> new NoClassDefFoundError("planned");
                case THREAD_DEATH -> new ThreadDeath();
                case CHECKED -> new IOException("planned");
                case UNCHECKED -> new IllegalStateException("planned");
            };
        }
    }

    /** Each kind at each place, after each of these numbers of passes; a tenth of them in a day. */
    public static Stream<Arguments> everywhere(List<String> places, Integer... passes) {
        return Rounds.cells(places.stream().flatMap(place -> Stream.of(Kind.values())
                .flatMap(kind -> Stream.of(passes).map(after -> Arguments.of(place, kind, after)))), 10);
    }

    /** Runs the trial, and fails the test for what JUnit would take for its own end. */
    @SuppressWarnings("removal") // see Kind
    public static void survive(Runnable trial) {
        try {
            trial.run();
        } catch (VirtualMachineError | ThreadDeath thrown) {
            throw new AssertionError("thrown at the caller", thrown);
        }
    }

    private String place = "";
    private Kind kind = Kind.CHECKED;
    private int skipped;
    private boolean exploded;

    public void lay(String where, Kind what, int after) {
        place = where;
        kind = what;
        skipped = after;
        exploded = false;
    }

    public boolean exploded() {
        return exploded;
    }

    public void at(String where) {
        if (where.equals(place) && skipped-- == 0) {
            place = "";
            exploded = true;
            throwAny(kind.make());
        }
    }

    @SuppressWarnings("unchecked") // there are languages that know no checked exceptions
    private static <X extends Throwable> void throwAny(Throwable thrown) throws X {
        throw (X) thrown;
    }
}
