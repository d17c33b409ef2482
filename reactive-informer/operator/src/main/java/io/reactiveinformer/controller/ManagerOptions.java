package io.reactiveinformer.controller;

import java.time.Duration;
import java.util.List;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Which controllers run, and when they start.
 *
 * @param controllers the controllers that run: {@code name} enables that controller, {@code -name} disables it, {@code *} enables all that
 *     are not named and not optional. An entry for a name takes precedence over {@code *}, and an earlier entry over a later one
 * @param startInterval the least time between the starts of two controllers; the actual one is random, up to twice as long, so that not all
 *     send requests to the server at once. Zero for no wait
 * @param timer measures {@code startInterval}
 */
public record ManagerOptions(List<String> controllers, Duration startInterval, Scheduler timer) {

    /** @throws IllegalArgumentException if {@code startInterval} is negative */
    public ManagerOptions {
        controllers = List.copyOf(controllers);
        if (startInterval.isNegative()) {
            throw new IllegalArgumentException("startInterval must not be negative, was " + startInterval);
        }
    }

    /** Enables all but the optional controllers; no wait between them. */
    public static ManagerOptions defaults() {
        return new ManagerOptions(List.of("*"), Duration.ZERO, Schedulers.parallel());
    }

    /** A copy with these {@link #controllers}; they replace the present ones. */
    public ManagerOptions withControllers(String... names) {
        return new ManagerOptions(List.of(names), startInterval, timer);
    }

    /**
     * A copy with this {@link #startInterval}.
     *
     * @throws IllegalArgumentException if negative
     */
    public ManagerOptions withStartInterval(Duration interval) {
        return new ManagerOptions(controllers, interval, timer);
    }

    /** A copy with this {@link #timer}. */
    public ManagerOptions withTimer(Scheduler other) {
        return new ManagerOptions(controllers, startInterval, other);
    }

    boolean enable(String name, boolean optional) {
        return controllers.stream().filter(said -> said.equals(name) || said.equals("-" + name)).findFirst()
                .map(said -> said.equals(name))
                .orElse(!optional && controllers.contains("*"));
    }
}
