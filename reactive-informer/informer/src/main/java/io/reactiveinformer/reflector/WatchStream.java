package io.reactiveinformer.reflector;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.internal.InLine;
import io.reactiveinformer.internal.Interruption;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.source.ListerWatcher;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Signal;

/** The changes, and before them, if it begins with a listing, the complete state on the same connection. For one subscription. */
final class WatchStream<T> {

    /** A streaming list that stalls for this long has no end mark: servers wait 3 s for a fresh cache, then send without a pause. */
    static final Duration STALL = Duration.ofSeconds(30);

    /**
     * A streaming list that still goes on after this time has no end mark, whatever it sends. A gigabyte, which is a hundred thousand
     * objects of 10 KB, takes a minute and a half over a line of 100 Mbit/s: this is twice that. Larger lists are fetched in pages.
     */
    static final Duration LONGEST = Duration.ofMinutes(3);

    private final ListerWatcher<T> source;
    private final ReflectorOptions options;
    private final Position<T> position;
    private final Trust trust;
    private final Consumer<Outcome> outcome;
    private final HeapRoom room;
    private final Duration timeout;

    /** The listing in progress before the end mark; null after it. */
    private Phase.@Nullable Listing listing;

    private volatile long began;
    private boolean opened;
    private boolean progressed;
    private boolean received;
    private volatile Duration silence;

    /** @param listing null to continue from {@code position} */
    WatchStream(
            ListerWatcher<T> source,
            ReflectorOptions options,
            Position<T> position,
            Trust trust,
            Phase.@Nullable Listing listing,
            Consumer<Outcome> outcome) {
        this.source = source;
        this.options = options;
        this.position = position;
        this.trust = trust;
        this.listing = listing;
        this.outcome = outcome;
        this.room = new HeapRoom(source.identity().description());
        this.timeout = options.drawTimeout();
        this.silence = listing == null ? timeout.plus(Interruption.MARGIN) : STALL;
        this.began = now();
    }

    Flux<ReflectorEvent<T>> events() {
        Known<T> known = listing == null ? position.known() : position.knownFor(listing.freshness());
        Reading<T> reading = Reading.of(known::find);
        return InLine.reported(Flux.defer(() -> source.watch(request(), reading)), waits -> began = now())
                .transform(Silence.fails(() -> silence, options.timer(), source.identity().description()))
                .materialize()
                .concatMapIterable(this::hear);
    }

    private WatchOptions request() {
        if (listing == null) {
            return WatchOptions.from(position.watchFrom(), timeout);
        }
        String reached = position.reached();
        return WatchOptions.streamingList(listing.freshness() == Phase.Freshness.MOST_RECENT ? null : reached, timeout);
    }

    private List<ReflectorEvent<T>> hear(Signal<ObjectEvent<T>> signal) {
        ObjectEvent<T> event = signal.get();
        if (event != null) {
            return listing == null ? live(event) : initial(event, listing);
        }
        outcome.accept(end(signal.getThrowable()));
        return List.of();
    }

    private List<ReflectorEvent<T>> initial(ObjectEvent<T> event, Phase.Listing asked) {
        if (event instanceof ObjectEvent.Bookmark<T> bookmark && bookmark.initialEventsEnd()) {
            ReflectorEvent<T> ended = position.listingEnded(bookmark.resourceVersion(), asked.freshness());
            listing = null;
            silence = timeout.plus(Interruption.MARGIN);
            received = true;
            outcome.accept(new Outcome.Complete());
            return List.of(ended, position.watching());
        }
        if (lasted().compareTo(LONGEST) >= 0) {
            throw new EndlessException();
        }
        opened = true;
        room.check();
        return position.listed(event);
    }

    private List<ReflectorEvent<T>> live(ObjectEvent<T> event) {
        String before = position.reached();
        List<ReflectorEvent<T>> events = position.live(event);
        if (event instanceof ObjectEvent.Opened) {
            opened = true;
            return events;
        }
        received = true;
        trust.received(event instanceof ObjectEvent.Bookmark);
        if (!progressed && !Objects.equals(before, position.reached())) {
            progressed = true;
            outcome.accept(new Outcome.Progress());
        }
        return events;
    }

    private Outcome end(@Nullable Throwable failure) {
        Duration lasted = lasted();
        boolean silent = listing == null && !received && (opened || failure == null) && !(failure instanceof StatusException); // no refusal
        String doubt = silent ? trust.doubtAfterSilence(lasted) : null;
        if (doubt != null) {
            return new Outcome.Unproven(doubt); // whatever the end: some balancers break every quiet watch
        }
        if (listing != null) {
            return endOfList(failure);
        }
        if (failure != null) {
            return Outcome.failed(failure, source.identity().description());
        }
        boolean worthwhile = Pace.isUseful(progressed, lasted) || lasted.compareTo(timeout) >= 0;
        return worthwhile ? new Outcome.Ended(lasted.compareTo(timeout) >= 0) : new Outcome.Cut(tooSoon(lasted));
    }

    private Outcome endOfList(@Nullable Throwable failure) {
        if (failure == null) {
            return new Outcome.BrokenOff(
                    new TransportException("cannot list " + source.identity().description()
                            + ": the stream ended before its end mark", null));
        }
        if (failure instanceof Silence.SilentException) {
            return new Outcome.Overdue(opened);
        }
        Outcome.Failed failed = Outcome.failed(failure, source.identity().description());
        return opened && failed.cause() instanceof TransportException cut ? new Outcome.BrokenOff(cut) : failed;
    }

    private TransportException tooSoon(Duration lasted) {
        return new TransportException(source.identity().description() + ": the server closed the watch from " + position.reached()
                + " after " + lasted.toMillis() + " ms without a word", null);
    }

    private Duration lasted() {
        return Duration.ofNanos(now() - began);
    }

    private long now() {
        return options.timer().now(TimeUnit.NANOSECONDS);
    }

    /** A streaming list does not end. */
    static final class EndlessException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        EndlessException() {
            super("a streaming list went on for " + LONGEST.toSeconds() + " s without an end mark", null, false, false);
        }
    }
}
