package io.reactiveinformer.controller;

import io.reactiveinformer.informer.InformerFactory;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * Runs several controllers in one process: decides by their names which of them run, starts them one after the other, and stops them in
 * reverse order, as kube-controller-manager does. Thread-safe.
 *
 * <pre>{@code
 * ControllerManager manager = ControllerManager.create(informers, ManagerOptions.defaults().withControllers("*", "-job"))
 *         .register("deployment", () -> deployments(client, informers))
 *         .register("job", () -> jobs(client, informers));
 * manager.start();
 * }</pre>
 */
public interface ControllerManager extends AutoCloseable {

    /** As {@link #create(InformerFactory, ManagerOptions)} with {@link ManagerOptions#defaults}. */
    static ControllerManager create(InformerFactory informers) {
        return create(informers, ManagerOptions.defaults());
    }

    /**
     * Creates a manager without controllers; see {@link #register}.
     *
     * @param informers the informers that the controllers share; started and stopped by the manager
     * @param options which controllers run, and when they start
     */
    static ControllerManager create(InformerFactory informers, ManagerOptions options) {
        return new DefaultControllerManager(informers, options);
    }

    /**
     * Adds a controller, before the start. The supplier is called at the start, and only if the controller is enabled, so a disabled one
     * needs no informer.
     *
     * @param name the name in {@link ManagerOptions#controllers}
     * @param controller creates the controller
     * @throws IllegalArgumentException if a controller of that name was added before, or if the name is empty, {@code *}, or begins with
     *     {@code -}
     * @throws IllegalStateException after the start
     */
    ControllerManager register(String name, Supplier<? extends Controller<?>> controller);

    /** As {@link #register}; {@code *} does not enable this controller, only its name does. */
    ControllerManager registerOptional(String name, Supplier<? extends Controller<?>> controller);

    /**
     * Creates all enabled controllers, then starts the informers, and then the controllers one after the other. Returns at once; no effect
     * after the first call. If a supplier throws, the controllers created before are closed, the exception is rethrown, and a new start is
     * possible.
     *
     * @throws IllegalArgumentException if {@link ManagerOptions#controllers} names a controller that is not registered
     * @throws IllegalStateException if the manager was stopped or closed
     */
    void start();

    /**
     * As {@link #start}, but the controllers only queue keys, and work on none before {@link #run} or {@link #start}. Throws the same
     * exceptions.
     */
    void warm();

    /**
     * As {@link #warm}, and all controllers work as long as the result has a subscriber, see {@link Controller#run}. A controller that
     * fails does not end the others; its failure is logged, and emitted when all have ended. Completes when the manager is stopped.
     */
    Mono<Void> run();

    /**
     * Completes when every enabled controller is synced, which is after the start. Fails if the start fails, if a view ends before it is
     * synced, and with {@link IllegalStateException} if the manager is stopped before.
     */
    Mono<Void> synced();

    /** The status of each enabled controller, in the order of registration. Empty before the start. */
    Map<String, ControllerStatus> statuses();

    /** Whether all enabled controllers are {@linkplain ControllerStatus#healthy healthy}; true before the start. For a liveness probe. */
    default boolean healthy() {
        return statuses().values().stream().allMatch(ControllerStatus::healthy);
    }

    /**
     * On subscription, drains the controllers at the same time, the last registered first, and stops the informers when all are drained.
     * Completes after {@code grace} for the controllers and {@code grace} for the informers at the latest. A later start fails.
     */
    Mono<Void> stop(Duration grace);

    /** Cancels all work and stops the informers at once, the last registered controller first. A later start fails. */
    @Override
    void close();
}
