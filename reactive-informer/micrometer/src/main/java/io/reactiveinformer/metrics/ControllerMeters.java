package io.reactiveinformer.metrics;

import io.micrometer.core.instrument.Timer;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Controller.Reconciled;
import io.reactiveinformer.controller.ReconcileTimeoutException;
import io.reactiveinformer.queue.Result;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.SignalType;

/** Counts and times the results of a controller. */
final class ControllerMeters extends BaseSubscriber<Reconciled<?>> {

    private final Meters meters;
    private final Controller<?> controller;
    private final Runnable atEnd;
    private final AtomicBoolean logged = new AtomicBoolean();
    private long last;

    ControllerMeters(Meters meters, Controller<?> controller, Runnable atEnd) {
        this.meters = meters;
        this.controller = controller;
        this.atEnd = atEnd;
    }

    Disposable start() {
        controller.results().subscribe(this);
        return this;
    }

    /** Records a result. Results that were dropped because this subscriber was too slow are only counted, as missed. */
    @Override
    protected void hookOnNext(Reconciled<?> reconciled) {
        Meters.contained(logged, "controller " + controller.name(), () -> record(reconciled));
    }

    private void record(Reconciled<?> reconciled) {
        if (last != 0 && reconciled.number() > last + 1) {
            meters.registry().counter("controller.reconciles.missed", meters.tags("controller", controller.name()))
                    .increment((double) reconciled.number() - last - 1);
        }
        last = reconciled.number();
        Timer.builder("controller.reconciles")
                .description("Requests to reconcile a key, by outcome and duration")
                .tags(meters.tags("controller", controller.name(), "outcome", outcome(reconciled.result())))
                .register(meters.registry())
                .record(reconciled.took());
    }

    private static String outcome(Result result) {
        if (result instanceof Result.Failed failed) {
            return failed.cause() instanceof ReconcileTimeoutException ? "timeout" : "failed";
        }
        return result instanceof Result.Again ? "again" : result instanceof Result.GivenUp ? "given-up" : "done";
    }

    @Override
    protected void hookFinally(SignalType end) {
        atEnd.run();
    }
}
