package io.reactiveinformer.controller;

import java.time.Duration;
import java.util.List;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Which controllers run, and when they begin.
 *
 * @param controllers names; {@code -name} is one that does not run, {@code *} all that are not named and not optional. What is said of a name counts more than
 *     {@code *}, and what is said first more than what is said later
 * @param startInterval how long after one the next begins, and up to twice that: so that not all ask the server at once. Zero for no wait
 * @param timer measures {@code startInterval}
 */
public record ManagerOptions(List<String> controllers, Duration startInterval, Scheduler timer) {

    public ManagerOptions {
        controllers = List.copyOf(controllers);
        if (startInterval.isNegative()) {
            throw new IllegalArgumentException("startInterval cannot be negative, was " + startInterval);
        }
    }

    /** All but the optional ones, without a wait. */
    public static ManagerOptions defaults() {
        return new ManagerOptions(List.of("*"), Duration.ZERO, Schedulers.parallel());
    }

    public ManagerOptions withControllers(String... names) {
        return new ManagerOptions(List.of(names), startInterval, timer);
    }

    public ManagerOptions withStartInterval(Duration interval) {
        return new ManagerOptions(controllers, interval, timer);
    }

    public ManagerOptions withTimer(Scheduler other) {
        return new ManagerOptions(controllers, startInterval, other);
    }

    boolean enable(String name, boolean optional) {
        for (String said : controllers) {
            if (said.equals(name)) {
                return true;
            }
            if (said.equals("-" + name)) {
                return false;
            }
        }
        return !optional && controllers.contains("*");
    }
}
