package io.reactiveinformer.reflector;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.internal.OutageLog;
import io.reactiveinformer.internal.Remedy;
import io.reactiveinformer.reflector.Phase.Freshness;
import io.reactiveinformer.reflector.Phase.How;
import io.reactiveinformer.resource.ClientClosedException;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.source.ListerWatcher;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** One subscription to a reflector: requests what {@link Phase} says, pauses when it says so, and repeats. Signals come one at a time. */
final class Session<T> {

    private static final String RESTORED = "another informer found that the server was restored or replaced";

    private static final Logger log = LoggerFactory.getLogger(Reflector.class);

    /** How long a proof may take before that is an interruption. */
    private static final Duration LATE = Duration.ofSeconds(3);

    private final ListerWatcher<T> source;
    private final ReflectorOptions options;
    private final Position<T> position;
    private final Trust trust;
    private final Pace pace;
    private final Observation observation;
    private final OutageLog outages;

    private volatile Phase phase; // read by the timer, too, when an epoch is over
    private boolean listed;
    private boolean hasWatched;
    /** How many objects were listed since the watch before; negative if none was. */
    private int relisted = -1;
    /** Lists in a row that were refused as a mistake. */
    private int mistakes;
    private Outcome outcome = new Outcome.Complete();
    /** The history of the last list, or of the one in progress. */
    private volatile Reflector.Group.Epoch epoch;
    /**
     * Whether, since the history was last verified, a request ended in another way than servers end them, so that it may not be the same
     * server, or not the same store.
     */
    private boolean broke;
    /** How many requests for a proof in a row have failed. */
    private int unproven;
    private boolean opened;
    private boolean progressed;
    private long began;

    /** @param resumeFrom the version to watch from without a list; null to list first */
    Session(ListerWatcher<T> source, Known<T> known, @Nullable String resumeFrom, ReflectorOptions options) {
        this.source = source;
        this.options = options;
        String reached = resumeFrom != null ? resumeFrom : known.received(source.identity().part());
        this.position = new Position<>(source.identity().part(), known, reached);
        if (reached != null && resumeFrom == null && source.identity().redefinable()) {
            position.redefined();
        }
        this.trust = new Trust(options.timer(), options.verifyAfter(), resumeFrom == null);
        this.pace = new Pace(options.backoff(), options.timer(), options.random());
        this.observation = new Observation(options.observer(), options.timer());
        this.outages = new OutageLog(log, source.identity().description(), options.timer());
        this.epoch = options.group().epoch();
        this.broke = resumeFrom != null; // it may be another server by now, or another store
        this.phase = resumeFrom != null
                ? new Phase.Watching() : new Phase.Listing(How.STREAMED, firstFreshness(options, reached), "first list");
    }

    Flux<ReflectorEvent<T>> events() {
        return Flux.defer(this::ask)
                .onErrorResume(this::doubtOrDefect)
                .doOnNext(this::see)
                .concatWith(Flux.defer(this::proceed))
                .repeat()
                .doOnCancel(observation::requestEnded);
    }

    private void see(ReflectorEvent<T> event) {
        observation.see(event);
        if (event instanceof ReflectorEvent.Disrupted<T> disrupted) {
            outages.failed(disrupted.cause(), "resuming", LATE); // if the answer does not come
        } else if (event instanceof ReflectorEvent.ListingEnded) {
            relisted = observation.count();
        } else if (event instanceof ReflectorEvent.Watching<T> watching) {
            opened = true;
            outages.ended(hasWatched ? "live again" : "live", relisted < 0
                    ? ", by resuming from version " + watching.resourceVersion() : ", by a list of " + OutageLog.objects(relisted));
            hasWatched = true;
            relisted = -1;
        }
    }

    private Flux<ReflectorEvent<T>> ask() {
        began = now();
        opened = false;
        progressed = false;
        if (phase instanceof Phase.Listing listing) {
            return broke && listing.freshness() == Freshness.NOT_OLDER ? listAfterBreak(listing) : list(listing);
        }
        if (epoch != options.group().epoch()) {
            return Flux.empty(); // see proceed()
        }
        return broke ? watchAfterBreak() : watch();
    }

    /** A list not older than our version means something only in the same history. If that cannot be shown, lists the most recent state. */
    private Flux<ReflectorEvent<T>> listAfterBreak(Phase.Listing listing) {
        return proof()
                .map(contradiction -> listing.mostRecent(otherHistory(contradiction)))
                .onErrorResume(failure -> Mono.just(listing.mostRecent(listing.reason()))) // if the server is unhealthy, the list will fail
                .switchIfEmpty(Mono.fromSupplier(() -> broke ? listing.mostRecent(listing.reason()) : listing))
                .flatMapMany(next -> {
                    phase = next;
                    return list(next);
                });
    }

    private Flux<ReflectorEvent<T>> watchAfterBreak() {
        var contradiction = new AtomicReference<@Nullable String>();
        return unlessLate(proof().doOnNext(contradiction::set)).concatWith(Flux.defer(() -> {
            String other = contradiction.get();
            boolean unproven = broke && position.isUnverified(); // of a break it is proven again later, and what was saved is listed
            if (other == null && !unproven) {
                return watch();
            }
            outcome = new Outcome.OtherHistory(other == null ? "nothing shows that the cached state is of the server's history"
                    : otherHistory(other));
            return Flux.empty();
        }));
    }

    /** No watch is open until the history is proven. If that takes long, and nothing has failed that would say so, this says it. */
    private Flux<ReflectorEvent<T>> unlessLate(Mono<String> proven) {
        Flux<ReflectorEvent<T>> end = proven.thenMany(Flux.empty());
        if (pace.failures() != 0 || position.isUnverified()) {
            return end;
        }
        return end.publish(over -> Flux.merge(
                over,
                Mono.delay(LATE, options.timer())
                        .<ReflectorEvent<T>>map(late -> new ReflectorEvent.Disrupted<>(source.identity().part(), new TransportException(
                                source.identity().description()
                                        + ": the watch has ended; no answer yet whether the server is the same", null),
                                1, Duration.ZERO, false))
                        .takeUntilOther(over.onErrorComplete())));
    }

    private Mono<String> proof() {
        var proof = new Proof<>(source, options, position, phase instanceof Phase.Listing, unproven + 1 >= Phase.STUBBORN);
        return proof.contradiction()
                .doOnError(failure -> unproven++)
                .doOnSuccess(contradiction -> {
                    unproven = 0;
                    broke = proof.isLacking();
                    if (contradiction == null && !broke) {
                        position.verified(proof.repeatFrom());
                    }
                });
    }

    private String otherHistory(String contradiction) {
        options.group().isOver(epoch);
        return "the server was restored or replaced: " + contradiction;
    }

    private Flux<ReflectorEvent<T>> list(Phase.Listing listing) {
        Outcome failure = listing.streamFailure();
        KubernetesException cause = failure == null ? null : cause(failure);
        String inPages = cause == null ? "" : "; in pages, since a streaming list failed: " + cause.getMessage();
        Reflector.Group.Epoch current = options.group().epoch();
        if (epoch != current) {
            position.replaced(); // another member found it: the others need not be notified again
            epoch = current;
        }
        Flux<ReflectorEvent<T>> start = Flux.just(
                new ReflectorEvent.ListingStarted<>(source.identity().part(), listing.reason() + inPages, cause));
        return start.concatWith(Flux.defer(() -> complete(listing)));
    }

    private Flux<ReflectorEvent<T>> complete(Phase.Listing listing) {
        boolean streams = options.streaming() && options.group().doesStreamingLists(options.timer());
        Phase.Listing possible = streams ? listing : listing.inPages();
        phase = possible;
        return possible.how() == How.STREAMED
                ? untilTheEpochIsOver(new WatchStream<>(source, options, position, trust, possible, this::hear).events())
                : new PagedList<>(source, options, position, possible, this::hear).events();
    }

    private Flux<ReflectorEvent<T>> watch() {
        return untilTheEpochIsOver(new WatchStream<>(source, options, position, trust, null, this::hear).events());
    }

    private Flux<ReflectorEvent<T>> untilTheEpochIsOver(Flux<ReflectorEvent<T>> events) {
        return events.takeUntilOther(Mono.defer(() -> endOfTheEpoch(epoch)));
    }

    /** Completes when the epoch of a watch is over. A list is not cut: it may have found the end itself, and checks when it is complete. */
    private Mono<Void> endOfTheEpoch(Reflector.Group.Epoch awaited) {
        return awaited.over().publishOn(options.timer()).then(Mono.defer(() -> {
            Reflector.Group.Epoch current = options.group().epoch();
            return phase instanceof Phase.Watching && epoch != current ? Mono.empty() : endOfTheEpoch(current);
        }));
    }

    private void hear(Outcome word) {
        outcome = word;
        if (word instanceof Outcome.Progress) {
            progressed = true;
            phase = after(word).phase();
            pace.progress();
        } else if (word instanceof Outcome.Complete) {
            checkEpoch();
            listed = true;
            broke = false;
            pace.listed();
            trust.received(false);
            if (phase instanceof Phase.Listing listing && listing.showsNoStreams()) {
                options.group().refusedStreamingList(options.timer());
            }
            phase = after(word).phase();
            if (epoch != options.group().epoch()) {
                throw new Cursor.DoubtException(RESTORED); // found since the check, while this still seemed to be a list
            }
        }
    }

    private Phase.Step after(Outcome word) {
        return phase.after(word, now(), options.verifyAfter().toNanos());
    }

    /** A list that was in progress while another member found the end of the history may be of either history. */
    private void checkEpoch() {
        if (epoch != options.group().epoch() && position.foundOtherHistory()) {
            epoch = options.group().epoch(); // this list shows the new history too
        } else if (epoch != options.group().epoch()) {
            throw new Cursor.DoubtException(RESTORED); // see list()
        } else if (position.foundOtherHistory()) {
            options.group().isOver(epoch);
            epoch = options.group().epoch();
        }
    }

    private Flux<ReflectorEvent<T>> doubtOrDefect(Throwable failure) {
        if (failure instanceof Cursor.DoubtException doubt) {
            outcome = new Outcome.Doubtful(doubt.reason());
        } else if (failure instanceof Replay.OtherHistoryException) {
            outcome = new Outcome.OtherHistory(otherHistory(String.valueOf(failure.getMessage())));
        } else if (failure instanceof WatchStream.EndlessException) {
            outcome = new Outcome.Overdue(true);
        } else {
            outcome = Outcome.failed(failure, source.identity().description());
        }
        return Flux.empty();
    }

    /** Continues after the end of a request, at once or after the pause that is due. */
    private Flux<ReflectorEvent<T>> proceed() {
        observation.requestEnded();
        if (outcome instanceof Outcome.Fault fault && fault.cause() instanceof ClientClosedException closed) {
            return Flux.error(closed);
        }
        Phase before = phase;
        if (before instanceof Phase.Watching && epoch != options.group().epoch()) {
            outcome = outcome instanceof Outcome.OtherHistory ? outcome : new Outcome.OtherHistory(RESTORED);
        }
        Phase.Step step = after(outcome);
        phase = step.phase();
        broke |= !(outcome instanceof Outcome.Complete || outcome instanceof Outcome.Ended ended && ended.asAsked());
        if (before instanceof Phase.Watching && phase instanceof Phase.Listing && source.identity().redefinable()) {
            position.redefined(); // as far as is known
        }
        boolean streamGivenUp = phase instanceof Phase.Listing listing && listing.streamFailure() == outcome;
        if (streamGivenUp) {
            log.warn("{}; listing in pages instead", named(cause(outcome)));
        }
        if (!step.paused()) {
            boolean tooSoon = outcome instanceof Outcome.Ended && lasted().compareTo(Pace.SPACING) < 0;
            return tooSoon ? pause(pace.pauseBetweenWatches()) : Flux.empty();
        }
        KubernetesException cause = cause(outcome);
        Duration delay = step.pause() == Phase.Pause.RETRY
                ? pace.pauseAfter(cause, before instanceof Phase.Watching && wentWell())
                : pace.pauseBeforeRelist(cause, step.pause() == Phase.Pause.RELIST_AFTER_REFUSAL);
        var disrupted = new ReflectorEvent.Disrupted<T>(
                source.identity().part(), cause, pace.attempt(), delay, phase instanceof Phase.Listing);
        observation.see(disrupted);
        boolean over;
        try {
            over = before instanceof Phase.Listing && isMistake(cause) || options.giveUpWhen().test(disrupted);
        } catch (RuntimeException mistake) {
            return Flux.error(new IllegalStateException(source.identity().description() + ": giveUpWhen threw "
                    + mistake + " when asked about: " + cause.getMessage(), mistake));
        }
        if (!over && !streamGivenUp) { // which has a line of its own
            outages.failed(cause, disrupted.relist() ? "listing again" : "resuming", delay);
        }
        return Flux.<ReflectorEvent<T>>just(disrupted)
                .concatWith(over ? Flux.error(cause) : Remedy.pause(cause, delay, options.timer()).thenMany(Flux.empty()));
    }

    /** The message of {@code cause} with the source. Failures of a connection do not name it: of a hundred reflectors, any may be meant. */
    private String named(KubernetesException cause) {
        String text = String.valueOf(cause.getMessage());
        return text.contains(source.identity().description()) ? text : source.identity().description() + ": " + text;
    }

    /** Whether the request itself is a mistake: refused more than once, since servers of two versions may stand behind one address. */
    private boolean isMistake(KubernetesException cause) {
        mistakes = cause instanceof StatusException refusal && source.neverTakes(refusal) ? mistakes + 1 : 0;
        return !listed && mistakes >= Phase.STUBBORN;
    }

    private Flux<ReflectorEvent<T>> pause(Duration delay) {
        return Mono.delay(delay, options.timer()).thenMany(Flux.empty());
    }

    private KubernetesException cause(Outcome outcome) {
        if (outcome instanceof Outcome.Fault fault) {
            return fault.cause();
        }
        if (outcome instanceof Outcome.Overdue overdue) {
            String what = overdue.begun() ? "the streaming list did not come to its end mark" : "the streaming list was not answered";
            return new TransportException("cannot list " + source.identity().description() + ": " + what, null);
        }
        String reason = outcome instanceof Outcome.Doubtful doubtful ? doubtful.reason() : String.valueOf(outcome);
        return new TransportException(source.identity().description() + ": " + reason + "; something may have been missed", null);
    }

    /** Whether the watch that failed had been useful: it advanced the position, or stayed open as quiet ones do. */
    private boolean wentWell() {
        return Pace.isUseful(progressed, opened ? lasted() : Duration.ZERO);
    }

    private Duration lasted() {
        return Duration.ofNanos(now() - began);
    }

    private long now() {
        return options.timer().now(TimeUnit.NANOSECONDS);
    }

    /** @param reached the version of the known states; no list may go back behind it */
    private static Freshness firstFreshness(ReflectorOptions options, @Nullable String reached) {
        if (options.consistency() == ReflectorOptions.Consistency.MOST_RECENT) {
            return Freshness.MOST_RECENT;
        }
        return reached == null ? Freshness.ANY : Freshness.NOT_OLDER;
    }
}
