package io.reactiveinformer.reflector;

import io.reactiveinformer.backoff.Delays;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.Known;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.reflector.Phase.Freshness;
import io.reactiveinformer.reflector.Phase.How;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.ResourceVersion;
import io.reactiveinformer.resource.ResourceVersionExpiredException;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.WatchEvent;
import io.reactiveinformer.source.ListerWatcher;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;

/** One subscription to a reflector: asks as {@link Phase} says, pauses as it says, and goes round. Signals come one at a time. */
final class Session<T> {

    /** What an answer may be late by: the network's way there and back, a busy server. */
    static final Duration MARGIN = Duration.ofSeconds(30);

    /** A list that says nothing for so long is lost: the server itself gives up after 60 s. */
    static final Duration LIST_SILENCE = Duration.ofSeconds(60).plus(MARGIN);

    /** A streaming list that stalls for so long has no end mark: servers wait 3 s for a fresh cache, then send without a stop. */
    static final Duration STREAM_SILENCE = Duration.ofSeconds(30);

    /** A watch that ended sooner, unasked and without a word, is not to be repeated at once. */
    static final Duration BRIEF = Duration.ofSeconds(10);

    /** Watches that end in order, and after news, follow each other not faster than this. */
    static final Duration SPACING = Duration.ofSeconds(1);

    private static final Logger log = LoggerFactory.getLogger(Reflector.class);

    private final ListerWatcher<T> source;
    private final ReflectorOptions<T> options;
    private final Position<T> position;
    private final Delays delays;

    private Phase phase;
    private Outcome outcome = new Outcome.Complete();
    private long began;
    private boolean heard;
    private @Nullable String listVersion;
    private @Nullable String continueToken;
    private volatile Duration silence = LIST_SILENCE;

    Session(ListerWatcher<T> source, ReflectorOptions<T> options) {
        this.source = source;
        this.options = options;
        this.position = new Position<>(source.part(), options.known(), null);
        this.delays = options.backoff().delays(options.timer(), options.random());
        this.phase = new Phase.Listing(How.STREAMED,
                options.consistency() == ReflectorOptions.Consistency.ANY ? Freshness.ANY : Freshness.MOST_RECENT, "first list");
    }

    Flux<ReflectorEvent<T>> events() {
        return Flux.defer(this::ask).concatWith(Flux.defer(this::proceed)).repeat();
    }

    private Flux<ReflectorEvent<T>> ask() {
        began = now();
        heard = false;
        if (phase instanceof Phase.Listing listing) {
            boolean streamed = listing.how() == How.STREAMED && options.streaming();
            Flux<ReflectorEvent<T>> start = Flux.just(new ReflectorEvent.ListingStarted<>(source.part(), listing.reason()));
            return start.concatWith(streamed ? stream(listing) : list(listing));
        }
        return watch();
    }

    /** Page after page; the version is that of the first, as the server promises for all of them. */
    private Flux<ReflectorEvent<T>> list(Phase.Listing listing) {
        silence = LIST_SILENCE;
        listVersion = null;
        continueToken = null;
        Known<T> known = known(listing);
        return Flux.defer(() -> source.list(page(listing), known).transform(endsWhenSilent()))
                .doOnNext(this::turnPage)
                .repeat(() -> continueToken != null)
                .materialize()
                .concatMapIterable(signal -> heardOfList(listing, signal))
                .onErrorResume(Position.DoubtException.class, this::doubt);
    }

    private ListOptions page(Phase.Listing listing) {
        ListOptions sized = ListOptions.defaults().withLimit(listing.how() == How.WHOLE ? 0 : options.pageSize());
        if (continueToken != null) {
            return sized.withContinue(continueToken);
        }
        String reached = position.reached();
        if (listing.freshness() == Freshness.MOST_RECENT || reached == null && listing.freshness() == Freshness.NOT_OLDER) {
            return sized;
        }
        return reached == null
                ? sized.withResourceVersion(ResourceVersion.ANY, null)
                : sized.withLimit(0).withResourceVersion(reached, ListOptions.Match.NOT_OLDER_THAN);
    }

    private void turnPage(ListEvent<T> event) {
        if (event instanceof ListEvent.End<T> end) {
            String next = end.continueToken();
            continueToken = next == null || next.isEmpty() ? null : next;
            listVersion = listVersion == null ? end.resourceVersion() : listVersion;
        }
    }

    private List<ReflectorEvent<T>> heardOfList(Phase.Listing listing, Signal<ListEvent<T>> signal) {
        ListEvent<T> event = signal.get();
        if (event != null) {
            return position.listed(event);
        }
        Throwable failure = signal.getThrowable();
        if (failure != null) {
            outcome = continueToken != null && failure instanceof ResourceVersionExpiredException
                    ? new Outcome.PageExpired()
                    : failed(failure);
            return List.of();
        }
        if (listVersion == null) {
            outcome = failed(new TransportException("cannot list " + source.description() + ": the answer ended before the list did", null));
            return List.of();
        }
        return List.of(listed(listVersion, listing));
    }

    /** The complete state and, on the same connection, what happens after it. */
    private Flux<ReflectorEvent<T>> stream(Phase.Listing listing) {
        Duration timeout = drawTimeout();
        silence = STREAM_SILENCE;
        String notBefore = listing.freshness() == Freshness.MOST_RECENT ? null : position.reached();
        return Flux.defer(() -> source.watch(WatchOptions.streamingList(notBefore, timeout), known(listing)))
                .transform(endsWhenSilent())
                .materialize()
                .concatMapIterable(signal -> heardOfStream(listing, timeout, signal))
                .onErrorResume(Position.DoubtException.class, this::doubt);
    }

    private List<ReflectorEvent<T>> heardOfStream(Phase.Listing listing, Duration timeout, Signal<WatchEvent<T>> signal) {
        WatchEvent<T> event = signal.get();
        if (phase instanceof Phase.Watching) {
            return heardOfWatch(timeout, signal);
        }
        if (event instanceof WatchEvent.Bookmark<T> bookmark && bookmark.initialEventsEnd()) {
            ReflectorEvent<T> ended = listed(bookmark.resourceVersion(), listing);
            phase = phase.after(outcome).phase();
            silence = timeout.plus(MARGIN);
            heard = true;
            return List.of(ended, position.watching());
        }
        if (event != null) {
            return position.initial(event);
        }
        Throwable failure = signal.getThrowable();
        outcome = failure == null ? new Outcome.Ended(false) : failure instanceof SilentException ? new Outcome.Overdue() : failed(failure);
        return List.of();
    }

    private Flux<ReflectorEvent<T>> watch() {
        Duration timeout = drawTimeout();
        silence = timeout.plus(MARGIN);
        String from = Objects.requireNonNull(position.reached(), "a watch follows a list");
        return Flux.defer(() -> source.watch(WatchOptions.from(from, timeout), options.known()))
                .transform(endsWhenSilent())
                .materialize()
                .concatMapIterable(signal -> heardOfWatch(timeout, signal))
                .onErrorResume(Position.DoubtException.class, this::doubt);
    }

    private List<ReflectorEvent<T>> heardOfWatch(Duration timeout, Signal<WatchEvent<T>> signal) {
        WatchEvent<T> event = signal.get();
        if (event != null) {
            String before = position.reached();
            List<ReflectorEvent<T>> events = position.live(event);
            if (!Objects.equals(before, position.reached())) {
                heard = true;
                delays.reset();
            }
            return events;
        }
        Throwable failure = signal.getThrowable();
        outcome = failure != null ? failed(failure) : new Outcome.Ended(heard || lasted().compareTo(min(BRIEF, timeout)) >= 0);
        return List.of();
    }

    private ReflectorEvent<T> listed(String resourceVersion, Phase.Listing listing) {
        boolean first = position.reached() == null;
        ReflectorEvent<T> ended = position.listingEnded(resourceVersion, listing.freshness());
        if (first) {
            delays.reset(); // a relist proves nothing yet: the watch after it may be refused again
        }
        outcome = new Outcome.Complete();
        return ended;
    }

    /** Moves on to the next phase, at once or after the pause that is due. */
    private Flux<ReflectorEvent<T>> proceed() {
        Phase before = phase;
        Phase.Step step = before.after(outcome);
        phase = step.phase();
        if (!step.paused()) {
            boolean spaced = before instanceof Phase.Watching && phase instanceof Phase.Watching && lasted().compareTo(SPACING) < 0;
            return spaced ? pause(SPACING.minus(lasted())) : Flux.empty();
        }
        KubernetesException cause = cause();
        Duration delay = delays.next(cause instanceof StatusException refusal ? refusal.status().retryAfter() : null);
        var disrupted = new ReflectorEvent.Disrupted<T>(source.part(), cause, delays.failures(), delay, phase instanceof Phase.Listing);
        if (disrupted.attempt() == 1) {
            log.warn("{}; {} in {}", cause.getMessage(), disrupted.relist() ? "listing again" : "resuming", delay);
        }
        if (options.giveUpWhen().test(disrupted)) {
            return Flux.error(cause);
        }
        return Flux.<ReflectorEvent<T>>just(disrupted).concatWith(pause(delay));
    }

    private Flux<ReflectorEvent<T>> pause(Duration delay) {
        return Mono.delay(delay, options.timer()).thenMany(Flux.empty());
    }

    private KubernetesException cause() {
        if (outcome instanceof Outcome.Failed failed) {
            return failed.cause();
        }
        String reason = outcome instanceof Outcome.Doubtful doubtful
                ? doubtful.reason()
                : "the server closed the watch from " + position.reached() + " after " + lasted() + " without a word";
        return new TransportException(source.description() + ": " + reason, null);
    }

    private Flux<ReflectorEvent<T>> doubt(Position.DoubtException doubt) {
        outcome = new Outcome.Doubtful(doubt.reason());
        return Flux.empty();
    }

    private Outcome failed(Throwable failure) {
        return new Outcome.Failed(failure instanceof KubernetesException known ? known : wrapped(failure), delays.failures() + 1);
    }

    private TransportException wrapped(Throwable failure) {
        return failure instanceof SilentException
                ? new TransportException(source.description() + ": the server was silent for " + silence + "; the connection is not trusted", null)
                : new TransportException("cannot keep up with " + source.description() + ": " + failure, failure);
    }

    /** When the server's history may be another one, an equal version proves nothing. */
    private Known<T> known(Phase.Listing listing) {
        return listing.freshness() == Freshness.MOST_RECENT && position.reached() != null ? Known.none() : options.known();
    }

    private <E> Function<Flux<E>, Flux<E>> endsWhenSilent() {
        return IdleTimeout.after(() -> silence, options.timer(), SilentException::new);
    }

    private Duration drawTimeout() {
        return options.watchTimeout().plus(Duration.ofMillis(Math.round(options.watchTimeout().toMillis() * options.random().getAsDouble())));
    }

    private Duration lasted() {
        return Duration.ofNanos(now() - began);
    }

    private long now() {
        return options.timer().now(TimeUnit.NANOSECONDS);
    }

    /** Carries no stack: what matters is who was silent. */
    private static final class SilentException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        SilentException() {
            super("silent", null, false, false);
        }
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
