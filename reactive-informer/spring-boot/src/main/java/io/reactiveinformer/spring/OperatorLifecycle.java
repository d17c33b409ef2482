package io.reactiveinformer.spring;

import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.leader.LeaderElector;
import io.reactiveinformer.sharding.ShardedController;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Starts the controllers and managers among the beans after the informers, and drains them before the informers stop. If there is a
 * {@link LeaderElector} bean, they work only while it leads, and it resigns when they are drained; a {@link ShardedController} works in
 * each process. A controller that the application itself runs already is left to it until the stop.
 */
final class OperatorLifecycle extends LastingLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(OperatorLifecycle.class);

    /** Lower phases start earlier and stop later: the informers, Boot's web servers, and {@link EndOfSubscriptions}. */
    private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 512;

    private final Operators operators;
    private final ReactiveInformerProperties properties;
    private final Duration phaseTimeout;
    private final Disposable.Composite leading = Disposables.composite();

    /** @param phaseTimeout after which Spring waits no longer for this stop */
    OperatorLifecycle(Operators operators, ReactiveInformerProperties properties, Duration phaseTimeout) {
        super(PHASE);
        this.operators = operators;
        this.properties = properties;
        this.phaseTimeout = phaseTimeout;
    }

    @Override
    public void start() {
        super.start();
        LeaderElector elector = operators.elector();
        if (elector == null) {
            operators.controllers().forEach(Controller::start);
            operators.managers().forEach(manager -> manager.start());
            return;
        }
        List<Mono<Void>> runs = new ArrayList<>();
        operators.controllers().forEach(controller -> {
            if (controller instanceof ShardedController) {
                controller.start();
            } else {
                controller.warm();
                runs.add(controller.run());
            }
        });
        operators.managers().forEach(manager -> {
            manager.warm();
            runs.add(manager.run());
        });
        if (!runs.isEmpty()) {
            leading.add(elector.whileLeading(term -> Mono.whenDelayError(runs.stream().map(OperatorLifecycle::unlessRun).toList()))
                    .doOnError(failure -> LOG.error("the controllers have failed, and start again in a moment", failure))
                    .retryWhen(Retry.backoff(Long.MAX_VALUE, Duration.ofSeconds(1)).maxBackoff(Duration.ofMinutes(1)).transientErrors(true))
                    .subscribe());
        }
    }

    private static Mono<Void> unlessRun(Mono<Void> run) {
        return run.onErrorResume(IllegalStateException.class, runsAlready -> {
            LOG.info("{}; the application itself runs it", runsAlready.getMessage());
            return Mono.never();
        });
    }

    /** Cancels what is still running a little before Spring gives up waiting. */
    @Override
    void end(Runnable callback) {
        Duration all = phaseTimeout.multipliedBy(9).dividedBy(10);
        Duration grace = all.multipliedBy(2).dividedBy(3);
        List<Mono<Void>> drained = Stream.concat(
                operators.controllers().stream().map(controller -> controller.drain(grace)),
                operators.managers().stream().map(manager -> manager.stop(grace.dividedBy(2)))).toList();
        Mono.whenDelayError(drained)
                .then(Mono.defer(() ->
                        Mono.whenDelayError(operators.electors().values().stream().map(LeaderElector::resign).toList())))
                .timeout(all)
                .doFinally(end -> {
                    leading.dispose();
                    callback.run();
                })
                .subscribe(nothing -> {}, failure -> LOG.warn("the controllers did not end as they should: {}", failure.toString()));
    }

    @Override
    public boolean isAutoStartup() {
        return properties.autoStartup();
    }
}
