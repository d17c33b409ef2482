package io.reactiveinformer.controller;

import io.reactiveinformer.informer.InformerFactory;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * Several controllers of one process, by name: which of them run, when they start, and in what order they stop. As kube-controller-manager
 * does for its controllers.
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
     * @param informers those that the controllers share; started and stopped by the manager
     */
    static ControllerManager create(InformerFactory informers, ManagerOptions options) {
        return new DefaultControllerManager(informers, options);
    }

    /**
     * Adds a controller, before the start. {@code controller} is called at the start, and only if the controller is enabled, so a disabled
     * one costs no informer.
     *
     * @throws IllegalArgumentException if there is one of that name, or if the name is empty, {@code *}, or begins with {@code -}
     * @throws IllegalStateException after the start
     */
    ControllerManager register(String name, Supplier<? extends Controller<?>> controller);

    /** As {@link #register}; {@code *} does not enable this controller, only its name does. */
    ControllerManager registerOptional(String name, Supplier<? extends Controller<?>> controller);

    /**
     * Creates all enabled controllers, starts the informers when all have requested theirs, and then the controllers one after the other.
     * Returns at once; starting again does nothing. If a controller cannot be created, those created before are closed, its exception is
     * thrown, and a new start is possible.
     *
     * @throws IllegalArgumentException if {@link ManagerOptions#controllers} names a controller that is not registered
     * @throws IllegalStateException after the end
     */
    void start();

    /** As {@link #start}, but the controllers queue keys and work on none before {@link #run}. */
    void warm();

    /**
     * As {@link #warm}, and all controllers work as long as it is subscribed to, see {@link Controller#run}. A controller that fails does
     * not end the others; its failure is logged, and emitted when all have ended.
     */
    Mono<Void> run();

    /**
     * Completes when every enabled controller is synced, which is not before the start. Fails if the start does, if a view ends, and with
     * {@link IllegalStateException} if the manager is stopped first.
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
