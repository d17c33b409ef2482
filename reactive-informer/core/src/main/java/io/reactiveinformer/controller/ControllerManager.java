package io.reactiveinformer.controller;

import io.reactiveinformer.informer.InformerFactory;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * Several controllers of one process, by name: which of them run, when they begin, and in what order all ends. What kube-controller-manager does for its
 * own.
 *
 * <pre>{@code
 * ControllerManager manager = ControllerManager.create(informers, ManagerOptions.defaults().withControllers("*", "-job"))
 *         .register("deployment", () -> deployments(client, informers))
 *         .register("job", () -> jobs(client, informers));
 * manager.start();
 * }</pre>
 */
public interface ControllerManager extends AutoCloseable {

    static ControllerManager create(InformerFactory informers) {
        return create(informers, ManagerOptions.defaults());
    }

    /** @param informers those that the controllers share; started and stopped by the manager */
    static ControllerManager create(InformerFactory informers, ManagerOptions options) {
        return new StaggeredControllers(informers, options);
    }

    /**
     * One more, before the start. What it is made of is asked for at the start, and only if it is enabled, so that those that are not cost no informer.
     *
     * @throws IllegalArgumentException if there is one of that name
     * @throws IllegalStateException after the start
     */
    ControllerManager register(String name, Supplier<? extends Controller<?>> controller);

    /** As {@link #register}; {@code *} does not enable this one, only its name does. */
    ControllerManager registerOptional(String name, Supplier<? extends Controller<?>> controller);

    /**
     * Makes all that are enabled, starts the informers when all have asked for theirs, and then the controllers one after the other. Returns at once; starting
     * again does nothing. Where one cannot be made, those that were are closed, what it threw is thrown, and one may start again.
     *
     * @throws IllegalArgumentException if {@link ManagerOptions#controllers} names one that there is not
     * @throws IllegalStateException after the end
     */
    void start();

    /** As {@link #start}, but none works before {@link #run}. */
    void warm();

    /** As {@link #warm}, and all work as long as it is subscribed to, as of {@link Controller#run}. One that fails does not end the others. */
    Mono<Void> run();

    /**
     * Completes when every enabled controller is synced, which is not before the start. Fails if the start does, if a view ends, and with
     * {@link IllegalStateException} if the manager is stopped first.
     */
    Mono<Void> synced();

    /** How each that is enabled stands, in the order in which they were registered. Empty before the start. */
    Map<String, ControllerStatus> statuses();

    /** Whether all that are enabled are {@linkplain ControllerStatus#healthy healthy}: for a liveness probe. */
    default boolean healthy() {
        return statuses().values().stream().allMatch(ControllerStatus::healthy);
    }

    /**
     * When subscribed to, drains the controllers, those registered last first, and stops the informers when all are drained. Completes when all is over, after
     * {@code grace} for the controllers and {@code grace} for the informers at the latest.
     */
    Mono<Void> stop(Duration grace);

    /** At once: work is cancelled, and informers are stopped. */
    @Override
    void close();
}
