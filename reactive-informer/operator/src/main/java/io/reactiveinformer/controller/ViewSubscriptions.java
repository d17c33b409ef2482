package io.reactiveinformer.controller;

import io.reactiveinformer.backoff.Backoff;
import io.reactiveinformer.backoff.Backoff.Delays;
import io.reactiveinformer.controller.ReconcileRequest.Cause;
import io.reactiveinformer.informer.InformerStoppedException;
import io.reactiveinformer.resource.ClientClosedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Subscribes to the views of a controller and wakes the keys that their changes concern. */
final class ViewSubscriptions<K> {

    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

    /** After current changes, but without starving: see {@link io.reactiveinformer.queue.WorkQueueOptions#headStart}. */
    private static final int LOW = -1;

    private final ControllerBuilder.Spec<K> spec;
    private final Wake<K> wake;
    private final Runnable changed;
    private final List<ControllerStatus.OfView> views = new ArrayList<>(); // guarded by itself
    private final Sinks.Empty<Void> synced = Sinks.empty();
    private final Disposable.Composite subscriptions = Disposables.composite();

    /** Queues a key to be worked on. */
    interface Wake<K> {
        void wake(K key, int priority, Cause cause);
    }

    /** @param changed called after the state of one of the {@link #views} has changed */
    ViewSubscriptions(ControllerBuilder.Spec<K> spec, Wake<K> wake, Runnable changed) {
        this.spec = spec;
        this.wake = wake;
        this.changed = changed;
        spec.sources().forEach(source -> views.add(new ControllerStatus.OfView(source.name(), false, false, null)));
    }

    void begin() {
        for (int i = 0; i < spec.sources().size(); i++) {
            new Listener(i, wake).begin();
        }
    }

    void end() {
        subscriptions.dispose();
    }

    /** Completes when all views are synced; fails with {@link ViewEndedException} if one ends before. */
    Mono<Void> synced() {
        return synced.asMono();
    }

    List<ControllerStatus.OfView> views() {
        synchronized (views) {
            return List.copyOf(views);
        }
    }

    /** Wakes the keys of all current rows. */
    void tellAll(Wake<K> to) {
        for (int i = 0; i < spec.sources().size(); i++) {
            spec.sources().get(i).tellAll(new Listener(i, to));
        }
    }

    private final class Listener implements WatchedView.Listener<K> {

        private final int view;
        private final Wake<K> wake;
        private final Delays delays;
        private final Disposable.Swap subscription = Disposables.swap();

        Listener(int view, Wake<K> wake) {
            this.view = view;
            this.wake = wake;
            this.delays = Backoff.between(Duration.ofSeconds(1), Duration.ofMinutes(1)).delays(spec.queue().timer());
        }

        void begin() {
            subscriptions.add(subscription);
            follow();
        }

        private void follow() {
            WatchedView<?, ?, K> source = spec.sources().get(view);
            subscription.update(source.follow(spec.delivery(), this));
        }

        /**
         * An Error does not mean that the view has ended: it may have been thrown anywhere between view and controller. Subscribes again;
         * all rows are emitted again.
         */
        private void followAgain(Throwable thrown) {
            Duration pause = delays.next();
            LOG.warn("{}: the subscription to {} ended with an Error; subscribing again in {} ms",
                    spec.name(), name(), pause.toMillis(), thrown);
            subscription.update(Mono.delay(pause, spec.queue().timer()).subscribe(tick -> follow(), this::ended));
        }

        @Override
        public void wake(K key, Cause cause) {
            wake.wake(key, cause.kind() == Cause.Kind.PRESENT ? LOW : 0, cause);
        }

        @Override
        public void synced() {
            if (becomes(before -> new ControllerStatus.OfView(before.name(), true, false, before.failure()))
                    .stream().allMatch(ControllerStatus.OfView::synced)) {
                synced.tryEmitEmpty();
            }
            changed.run();
        }

        @Override
        public void stumbled(Throwable failure) {
            boolean first = views().get(view).failure() == null;
            becomes(before -> new ControllerStatus.OfView(before.name(), before.synced(), before.ended(), failure));
            if (first) {
                LOG.warn("{}: a route or filter of {} threw for a row: a row without a route is skipped, an update without a filter "
                        + "passes; further failures are not logged", spec.name(), name(), failure);
                changed.run();
            }
        }

        @Override
        public void ended(@Nullable Throwable failure) {
            if (failure != null && (failure instanceof Error || failure.getCause() instanceof Error)) {
                followAgain(failure);
                return;
            }
            becomes(before -> new ControllerStatus.OfView(before.name(), before.synced(), true,
                    failure == null ? before.failure() : failure));
            var ended = new ViewEndedException(spec.name(), name(), failure);
            if (failure == null || failure instanceof ClientClosedException || failure instanceof InformerStoppedException) {
                LOG.info("{}", ended.getMessage()); // stopped by the program itself; work that fails then is logged with its key
            } else {
                LOG.error("{}", ended.getMessage(), failure);
            }
            synced.tryEmitError(ended); // no effect if all are synced
            changed.run();
        }

        private String name() {
            return spec.sources().get(view).name();
        }

        private List<ControllerStatus.OfView> becomes(UnaryOperator<ControllerStatus.OfView> change) {
            synchronized (views) {
                views.set(view, change.apply(views.get(view)));
                return List.copyOf(views);
            }
        }
    }
}
