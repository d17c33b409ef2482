package io.reactiveinformer.informer;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.Known;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.WatchEvent;
import io.reactiveinformer.source.ListerWatcher;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * For one reflector that begins at a version that an earlier process saved. A server that was restored meanwhile accepts a watch from its own
 * future, and is silent; so before the first watch it is asked for one object, not older than that version, which it refuses if it does not
 * know it. Then what is listed counts more, whatever version it has. A server that has forgotten the version opens the watch too, and says so
 * right afterwards; so the watch counts as open only when something else has come, or nothing for a while.
 */
final class ProvenResume<T> implements ListerWatcher<T> {

    /** A server waits some seconds for a version that it does not know. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** A refusal follows on the heels of the opening. Were it later, it would be a version that has expired while it was watched from. */
    static final Duration QUIET = Duration.ofSeconds(2);

    /** What comes while the watch does not count as open yet, waits. */
    private static final int AHEAD = 32;

    private final ListerWatcher<T> source;
    private final String saved;
    private final Scheduler timer;
    private volatile boolean proven;

    ProvenResume(ListerWatcher<T> source, String saved, Scheduler timer) {
        this.source = source;
        this.saved = saved;
        this.timer = timer;
    }

    @Override
    public String description() {
        return source.description();
    }

    @Override
    public Scope part() {
        return source.part();
    }

    @Override
    public Flux<ListEvent<T>> list(ListOptions options, Known<T> known) {
        proven = true; // no need of a proof any more
        return source.list(options, known);
    }

    @Override
    public Flux<WatchEvent<T>> watch(WatchOptions options, Known<T> known) {
        proven |= options.initialEvents();
        return proven ? source.watch(options, known) : proof(known).thenMany(Flux.defer(() -> accepted(source.watch(options, known))));
    }

    private Flux<WatchEvent<T>> accepted(Flux<WatchEvent<T>> watch) {
        Sinks.Empty<Void> word = Sinks.empty();
        return watch.doOnNext(event -> {
                    if (!(event instanceof WatchEvent.Opened)) {
                        word.tryEmitEmpty();
                    }
                })
                .hide() // so that what comes is heard as it comes, not as it is taken
                .concatMap(event -> event instanceof WatchEvent.Opened<T> opened
                        ? Mono.firstWithSignal(Mono.delay(QUIET, timer).then(), word.asMono()).thenReturn(opened)
                        : Mono.just(event), AHEAD)
                .doOnNext(event -> proven = true);
    }

    private Mono<Void> proof(Known<T> known) {
        ListOptions one = ListOptions.defaults().withLimit(1).withResourceVersion(saved, ListOptions.Match.NOT_OLDER_THAN);
        return source.list(one, known)
                .then()
                .timeout(PATIENCE, Mono.error(() -> new TransportException(
                        description() + ": no answer to whether version " + saved + " is known, within " + PATIENCE.toSeconds() + " s", null)), timer);
    }
}
