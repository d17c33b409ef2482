package io.reactiveinformer.demo;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus.State;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Prints the changes and statuses of one informer until enough were printed.
 *
 * <p>All printing happens on one scheduler, which blocks while the reader of the output does not read. Meanwhile the informer conflates
 * changes, and is not delayed.
 */
final class Watch {

    private final Wish wish;
    private final KubernetesClient client;
    private final Printer printer;
    private final StatusLines statuses;
    private final Tally tally = new Tally();
    private final Scheduler output;

    /** @param output a scheduler of one thread, which may block */
    Watch(Wish wish, KubernetesClient client, Printer printer, Scheduler output) {
        this.wish = wish;
        this.client = client;
        this.printer = printer;
        this.statuses = new StatusLines(printer);
        this.output = output;
    }

    /**
     * Completes when the wish is fulfilled or {@code end} completes; emits whether the first complete state, or the wanted number of
     * changes, was printed. Fails with {@link OutputClosedException} when the reader has closed the output, and with {@link UsageException}
     * if there is no such resource.
     *
     * @param end completes when the time is over
     */
    Mono<Boolean> run(Mono<Void> end) {
        // Closed before this ends: the client is closed next, and a running informer would take that for a failure.
        return Mono.using(() -> InformerFactory.create(client, wish.reflectorOptions()), informers -> run(informers, end),
                InformerFactory::close);
    }

    private Mono<Boolean> run(InformerFactory informers, Mono<Void> end) {
        var types = new TypeLookup(client.discovery(), statuses, output);
        return types.find(wish.resource(), wish.untilDefined())
                .takeUntilOther(end)
                .<Informer<?>>map(type -> informers.of(type, type.namespaced() ? wish.namespaces() : Namespaces.all(), wish.selector()))
                .flatMap(informer -> follow(informer, end))
                .switchIfEmpty(types.stopped().then(Mono.fromRunnable(() -> snapshot(null)).subscribeOn(output)).then(Mono.empty()))
                .then(Mono.fromCallable(() -> tally.synced() || enough()));
    }

    /** The reason why the state was never complete; null if there was no failure. */
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
        // on the output's thread alone, so that the first status comes first
        Mono<Void> states = informer.status(Delivery.conflated().on(output))
                .doOnNext(statuses::tell)
                .takeUntil(status -> status.state() == State.STOPPED)
                .then();
        Mono<Void> start = Mono.fromRunnable(informer::start); // after the others: a later subscriber receives the last status only
        Mono<Void> stopAtEnd = end.doOnSuccess(over -> informer.stop()).then(Mono.never());
        return Mono.firstWithSignal(Mono.when(changes, states, start), stopAtEnd)
                .then(Mono.fromRunnable(() -> snapshot(informer)).subscribeOn(output))
                .thenReturn(informer);
    }

    private boolean enough() {
        return wish.count() != null && tally.changes() >= wish.count();
    }

    /**
     * Prints the state after the printed changes. If all of the informer's changes were printed, its version is shown, which may be later
     * than that of the last change.
     */
    private void snapshot(@Nullable Informer<?> informer) {
        if (wish.snapshot()) {
            String version = enough() || informer == null ? tally.version() : informer.snapshot().resourceVersion().orElse(null);
            printer.snapshot(version, tally.objects());
        }
    }
}
