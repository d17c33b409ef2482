package io.reactiveinformer.demo;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.InformerStatus.State;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.view.Delivery;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Prints what one informer tells, until enough has been seen.
 *
 * <p>All printing happens on one scheduler, which blocks while the reader of the output does not read; changes that come meanwhile are
 * conflated by the informer, which is not held up.
 */
final class Watch {

    private final Wish wish;
    private final KubernetesClient client;
    private final Printer printer;
    private final StatusLines statuses;
    private final Tally tally = new Tally();
    private final Scheduler output;

    /** @param output of one thread, which may block */
    Watch(Wish wish, KubernetesClient client, Printer printer, Scheduler output) {
        this.wish = wish;
        this.client = client;
        this.printer = printer;
        this.statuses = new StatusLines(printer);
        this.output = output;
    }

    /**
     * Completes when the wish is fulfilled, with whether the first complete state was seen or all changes that were asked for; fails with
     * {@link OutputClosedException} when nobody reads any more, and with {@link UsageException} if there is no such resource.
     *
     * @param end of the time that there is
     */
    Mono<Boolean> run(Mono<Void> end) {
        // Closed before this ends: the client is closed next, and an informer that is still at work would take that for a failure.
        return Mono.using(() -> InformerFactory.create(client, wish.reflectorOptions()), informers -> run(informers, end),
                InformerFactory::close);
    }

    private Mono<Boolean> run(InformerFactory informers, Mono<Void> end) {
        var types = new TypeLookup(client.discovery(), statuses, output);
        return types.find(wish.resource())
                .takeUntilOther(end)
                .<Informer<?>>map(type -> informers.of(type, type.namespaced() ? wish.namespaces() : Namespaces.all(), wish.selector()))
                .flatMap(informer -> follow(informer, end))
                .switchIfEmpty(types.stopped().then(Mono.fromRunnable(() -> snapshot(null)).subscribeOn(output)).then(Mono.empty()))
                .then(Mono.fromCallable(() -> tally.synced() || enough()));
    }

    /** Why nothing was seen; null where nothing was wrong. */
    @Nullable KubernetesException lastCause() {
        return statuses.lastCause();
    }

    private <T> Mono<Informer<T>> follow(Informer<T> informer, Mono<Void> end) {
        Mono<Void> changes = informer.changes(Delivery.conflated().on(output))
                .doOnNext(change -> {
                    printer.change(change);
                    tally.add(change);
                })
                .takeUntil(change -> enough())
                .doOnTerminate(informer::stop)
                .then();
        // by way of no other thread, so that the first one is printed first
        Mono<Void> states = informer.status(Delivery.conflated().on(output))
                .doOnNext(statuses::tell)
                .takeUntil(status -> status.state() == State.STOPPED)
                .then();
        Mono<Void> start = Mono.fromRunnable(informer::start); // once the others listen: who comes later is told the last state alone
        Mono<Void> stopAtEnd = end.doOnSuccess(over -> informer.stop()).then(Mono.never());
        return Mono.firstWithSignal(Mono.when(changes, states, start), stopAtEnd)
                .then(Mono.fromRunnable(() -> snapshot(informer)).subscribeOn(output))
                .thenReturn(informer);
    }

    private boolean enough() {
        return wish.count() != null && tally.changes() >= wish.count();
    }

    /**
     * What was printed, replayed. Where all was printed that the informer knew, its position counts, which may be ahead of the last change.
     */
    private void snapshot(@Nullable Informer<?> informer) {
        if (wish.snapshot()) {
            String version = enough() || informer == null ? tally.version() : informer.snapshot().resourceVersion().orElse(null);
            printer.snapshot(version, tally.objects());
        }
    }
}
