package io.reactiveinformer.reflector;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.internal.OutageLog;
import io.reactiveinformer.internal.Remedy;
import io.reactiveinformer.reflector.Phase.Freshness;
import io.reactiveinformer.reflector.Phase.How;
import io.reactiveinformer.reflector.Phase.Listing;
import io.reactiveinformer.resource.ClientClosedException;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.source.ListerWatcher;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One subscription to a reflector: does what its {@link Phase} says, and repeats. The end of a request is an {@link Outcome}, which leads
 * to the next phase. Signals come one at a time.
 */
final class Session<T> {

    private static final String RESTORED = "another informer found that the server was restored or replaced";

    private static final Logger log = LoggerFactory.getLogger(Reflector.class);

    /** How long a proof may take before that is an interruption. */
    private static final Duration LATE = Duration.ofSeconds(3);

    private final ListerWatcher<T> source;
    private final ReflectorOptions options;
    private final EventTranslator<T> position;
    private final SilenceRule trust;
    private final RetryPauses pace;
    private final Observation observation;
    private final OutageLog outages;
    private final Reflector.Group.Member history;

    private volatile Phase phase; // read by the timer, too, when an epoch is over

    /** @param resumeFrom the version to watch from without a list; null to list first */
    Session(ListerWatcher<T> source, Known<T> known, @Nullable String resumeFrom, ReflectorOptions options) {
        this.source = source;
        this.options = options;
        String reached = resumeFrom != null ? resumeFrom : known.received(source.identity().part());
        this.position = new EventTranslator<>(source.identity().part(), known, reached);
        if (reached != null && resumeFrom == null && source.identity().redefinable()) {
            position.redefined();
        }
        this.trust = new SilenceRule(options.timer(), options.verifyAfter(), resumeFrom == null);
        this.pace = new RetryPauses(options.backoff(), options.timer(), options.random());
        this.outages = new OutageLog(log, source.identity().description(), options.timer());
        this.observation = new Observation(options.observer(), options.timer(), outages);
        this.history = options.group().join();
        this.phase = resumeFrom != null
                ? new Phase.Proving(new Phase.Watching(), 0) // it may be another server by now, or another store
                : new Listing(How.STREAMED, firstFreshness(options, reached), "first list");
    }

    Flux<ReflectorEvent<T>> events() {
        return Flux.defer(this::run)
                .doOnNext(observation::see)
                .repeat()
                .doOnCancel(observation::requestEnded);
    }

    private Flux<ReflectorEvent<T>> run() {
        Phase now = phase;
        if (now instanceof Phase.Over over) {
            return Flux.error(over.cause());
        }
        if (now instanceof Phase.Pausing pausing) {
            return pause(pausing);
        }
        if (now instanceof Listing listing) {
            return list(listing);
        }
        if (now.listing() == null && history.isOver()) {
            ended(new Outcome.OtherHistory(RESTORED, false));
            return Flux.empty();
        }
        return now instanceof Phase.Proving proving ? prove(proving) : watch();
    }

    private Flux<ReflectorEvent<T>> watch() {
        var stream = new WatchStream<>(source, options, position, trust, null, this::hear);
        return answer(untilTheEpochIsOver(stream.events()), stream::failed);
    }

    private Flux<ReflectorEvent<T>> list(Listing listing) {
        Outcome failure = listing.streamFailure();
        KubernetesException cause = failure == null ? null : cause(failure);
        String inPages = cause == null ? "" : "; in pages, since a streaming list failed: " + cause.getMessage();
        if (history.isOver()) {
            position.replaced(); // found already: the others need not be notified again
            history.follow();
        }
        Flux<ReflectorEvent<T>> start = Flux.just(
                new ReflectorEvent.ListingStarted<>(source.identity().part(), listing.reason() + inPages, cause));
        return start.concatWith(answer(Flux.defer(() -> complete(listing)), this::outcome));
    }

    private Flux<ReflectorEvent<T>> complete(Listing listing) {
        boolean streams = options.streaming() && options.group().doesStreamingLists(options.timer());
        Listing possible = streams ? listing : listing.inPages();
        phase = possible;
        return possible.how() == How.STREAMED
                ? untilTheEpochIsOver(new WatchStream<>(source, options, position, trust, possible, this::hear).events())
                : new PagedList<>(source, options, position, possible, this::hear).events();
    }

    private Flux<ReflectorEvent<T>> prove(Phase.Proving proving) {
        boolean lists = proving.listing() != null;
        var check = new HistoryCheck<>(source, options, position, lists, proving.failed() + 1 >= Phase.STUBBORN);
        Mono<Outcome> outcome = check.contradiction()
                .<Outcome>map(Outcome.OtherHistory::shown)
                .switchIfEmpty(Mono.fromSupplier(() -> uncontradicted(check, lists)));
        Flux<ReflectorEvent<T>> end = outcome.doOnNext(this::hear).thenMany(Flux.empty());
        return answer(lists || pace.failures() != 0 || position.isUnverified() ? end : unlessLate(end), this::outcome);
    }

    private Outcome uncontradicted(HistoryCheck<T> check, boolean lists) {
        boolean entirely = !check.isUnproven();
        if (entirely) {
            position.verified(check.repeatFrom());
        }
        return entirely || lists || !position.isUnverified() ? new Outcome.Proven(entirely) // of a break it is proven again later
                : new Outcome.OtherHistory("nothing shows that the cached state is of the server's history", false);
    }

    /** No watch is open until the history is proven. If that takes long, and nothing has failed that would say so, this says it. */
    private Flux<ReflectorEvent<T>> unlessLate(Flux<ReflectorEvent<T>> end) {
        return end.publish(over -> Flux.merge(
                over,
                Mono.delay(LATE, options.timer())
                        .<ReflectorEvent<T>>map(late -> unproven())
                        .takeUntilOther(over.onErrorComplete())));
    }

    private ReflectorEvent<T> unproven() {
        var cause = new TransportException(
                source.identity().description() + ": the watch has ended; no answer yet whether the server is the same", null);
        outages.failed(cause, "resuming", LATE);
        return new ReflectorEvent.Disrupted<>(source.identity().part(), cause, 1, Duration.ZERO, false);
    }

    private Flux<ReflectorEvent<T>> answer(Flux<ReflectorEvent<T>> events, Function<Throwable, Outcome> failed) {
        return events.onErrorResume(failure -> {
            ended(failed.apply(failure));
            return Flux.empty();
        });
    }

    private Outcome outcome(Throwable failure) {
        return Outcome.of(failure, source.identity().description());
    }

    private Flux<ReflectorEvent<T>> untilTheEpochIsOver(Flux<ReflectorEvent<T>> events) {
        return events.takeUntilOther(history.over(options.timer(), () -> phase instanceof Phase.Watching));
    }

    private void hear(Outcome outcome) {
        if (outcome instanceof Outcome.Progress) {
            phase = after(outcome).phase();
            pace.progress();
        } else if (outcome instanceof Outcome.Complete) {
            completed(outcome);
        } else {
            ended(outcome);
        }
    }

    private void completed(Outcome outcome) {
        checkEpoch();
        pace.listed();
        trust.received(false);
        if (phase instanceof Listing listing && listing.showsNoStreams()) {
            options.group().refusedStreamingList(options.timer());
        }
        phase = after(outcome).phase();
        if (history.isOver()) {
            throw Outcome.Doubtful.thrown(RESTORED); // found since the check, while this still seemed to be a list
        }
    }

    private Phase.Step after(Outcome outcome) {
        return phase.after(outcome, now(), options.verifyAfter().toNanos());
    }

    /** A list that was in progress while another member found the end of the history may be of either history. */
    private void checkEpoch() {
        if (position.foundOtherHistory()) {
            history.end();
            history.follow(); // this list shows the new history too
        } else if (history.isOver()) {
            throw Outcome.Doubtful.thrown(RESTORED); // see list()
        }
    }

    private void ended(Outcome end) {
        observation.requestEnded();
        if (end instanceof Outcome.Fault fault && fault.cause() instanceof ClientClosedException closed) {
            phase = new Phase.Over(closed);
            return;
        }
        Phase before = phase;
        boolean restored = before.listing() == null && history.isOver() && !(end instanceof Outcome.OtherHistory);
        Outcome outcome = restored ? new Outcome.OtherHistory(RESTORED, false) : mistaken(end, before);
        if (outcome instanceof Outcome.OtherHistory other && other.shown()) {
            history.end();
        }
        Phase.Step step = after(outcome);
        Listing listing = step.phase().listing();
        if (before.listing() == null && listing != null && source.identity().redefinable()) {
            position.redefined(); // as far as is known
        }
        boolean streamGivenUp = listing != null && listing.streamFailure() == outcome;
        if (streamGivenUp) {
            log.warn("{}; listing in pages instead", named(cause(outcome)));
        }
        phase = paused(step, outcome, streamGivenUp);
    }

    private Phase paused(Phase.Step step, Outcome outcome, boolean logged) {
        Phase next = step.phase();
        if (!step.paused()) {
            boolean soon = outcome instanceof Outcome.Ended ended && ended.soon();
            return soon ? new Phase.Pausing(next, pace.pauseBetweenWatches(), null, false) : next;
        }
        KubernetesException cause = cause(outcome);
        boolean useful = outcome instanceof Outcome.Failed failed && failed.useful();
        Duration pause = step.pause() == Phase.Pause.RETRY
                ? pace.pauseAfter(cause, useful)
                : pace.pauseBeforeRelist(cause, step.pause() == Phase.Pause.RELIST_AFTER_REFUSAL);
        return new Phase.Pausing(next, pause, cause, logged);
    }

    private Flux<ReflectorEvent<T>> pause(Phase.Pausing pausing) {
        KubernetesException cause = pausing.cause();
        Mono<Void> over = cause == null ? Mono.delay(pausing.pause(), options.timer()).then()
                : Remedy.pause(cause, pausing.pause(), options.timer());
        Flux<ReflectorEvent<T>> next = over.thenMany(Flux.defer(() -> {
            phase = pausing.next();
            return Flux.empty();
        }));
        return cause == null ? next : disrupted(cause, pausing)
                .concatWith(Flux.defer(() -> phase instanceof Phase.Over ? Flux.empty() : next));
    }

    private Flux<ReflectorEvent<T>> disrupted(KubernetesException cause, Phase.Pausing pausing) {
        Listing listing = pausing.listing();
        var disrupted = new ReflectorEvent.Disrupted<T>(
                source.identity().part(), cause, pace.attempt(), pausing.pause(), listing != null);
        boolean over;
        try {
            over = listing != null && isMistake(listing) || options.giveUpWhen().test(disrupted);
        } catch (RuntimeException mistake) {
            return Flux.error(new IllegalStateException(source.identity().description() + ": giveUpWhen threw "
                    + mistake + " when asked about: " + cause.getMessage(), mistake));
        }
        if (over) {
            phase = new Phase.Over(cause);
        } else if (!pausing.logged()) {
            outages.failed(cause, listing != null ? "listing again" : "resuming", pausing.pause());
        }
        return Flux.just(disrupted);
    }

    /** The message of {@code cause} with the source. Failures of a connection do not name it: of a hundred reflectors, any may be meant. */
    private String named(KubernetesException cause) {
        String text = String.valueOf(cause.getMessage());
        return text.contains(source.identity().description()) ? text : source.identity().description() + ": " + text;
    }

    private Outcome mistaken(Outcome outcome, Phase before) {
        boolean mistake = before instanceof Listing && outcome instanceof Outcome.Failed failed
                && failed.cause() instanceof StatusException refusal && source.neverTakes(refusal);
        return mistake && outcome instanceof Outcome.Failed failed
                ? new Outcome.Failed(failed.cause(), failed.unknown(), false, true) : outcome;
    }

    /**
     * Whether the request itself is a mistake: refused more than once, since servers of two versions may stand behind one address, and
     * before anything has shown what the server has.
     */
    private boolean isMistake(Listing listing) {
        return listing.mistakes() >= Phase.STUBBORN && (position.reached() == null || position.isUnverified());
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
