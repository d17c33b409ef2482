package io.reactiveinformer.reflector;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.internal.Interruption;
import io.reactiveinformer.internal.ListWaits;
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
    private final EventTranslator<T> position;
    private final SilenceRule trust;
    private final Consumer<Outcome> outcome;
    private final HeapRoom room;
    private final Duration timeout;

    /** The listing in progress before the end mark; null after it. */
    private volatile Phase.@Nullable Listing listing;

    private volatile long began;
    private Heard heard = Heard.NOTHING;

    /** What has come so far. */
    private enum Heard {
        NOTHING,
        /** That the request is accepted, or objects of a list. */
        ACCEPTED,
        /** The end of the list, or an event of the watch. */
        EVENT,
        /** One that has advanced the position. */
        PROGRESS
    }

    /** @param listing null to continue from {@code position} */
    WatchStream(
            ListerWatcher<T> source,
            ReflectorOptions options,
            EventTranslator<T> position,
            SilenceRule trust,
            Phase.@Nullable Listing listing,
            Consumer<Outcome> outcome) {
        this.source = source;
        this.options = options;
        this.position = position;
        this.trust = trust;
        this.listing = listing;
        this.outcome = outcome;
        this.room = new HeapRoom(source.identity().description(), null);
        this.timeout = options.drawTimeout();
        this.began = now();
    }

    Flux<ReflectorEvent<T>> events() {
        Known<T> known = listing == null ? position.known() : position.knownFor(listing.freshness());
        Reading<T> reading = Reading.of(known::find);
        return ListWaits.reported(Flux.defer(() -> source.watch(request(), reading)), waits -> began = now())
                .transform(IdleTimeout.after(() -> listing == null ? timeout.plus(Interruption.MARGIN) : STALL,
                        options.timer(), source.identity().description()))
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
            heard = Heard.EVENT;
            outcome.accept(new Outcome.Complete());
            return List.of(ended, position.watching());
        }
        if (lasted().compareTo(LONGEST) >= 0) {
            throw Outcome.Overdue.thrown("a streaming list went on for " + LONGEST.toSeconds() + " s without an end mark");
        }
        heard = Heard.ACCEPTED;
        room.check();
        return position.listed(event);
    }

    private List<ReflectorEvent<T>> live(ObjectEvent<T> event) {
        String before = position.reached();
        List<ReflectorEvent<T>> events = position.live(event);
        if (event instanceof ObjectEvent.Opened) {
            heard = heard == Heard.NOTHING ? Heard.ACCEPTED : heard;
            return events;
        }
        trust.received(event instanceof ObjectEvent.Bookmark);
        if (heard != Heard.PROGRESS) {
            boolean progress = !Objects.equals(before, position.reached());
            heard = progress ? Heard.PROGRESS : Heard.EVENT;
            if (progress) {
                outcome.accept(new Outcome.Progress());
            }
        }
        return events;
    }

    private Outcome end(@Nullable Throwable failure) {
        Duration lasted = lasted();
        boolean unheard = heard == Heard.ACCEPTED || heard == Heard.NOTHING && failure == null;
        boolean silent = listing == null && unheard && !(failure instanceof StatusException); // no refusal
        String doubt = silent ? trust.doubtAfterSilence(lasted) : null;
        if (doubt != null) {
            return new Outcome.Unproven(doubt); // whatever the end: some balancers break every quiet watch
        }
        if (listing != null) {
            return endOfList(failure);
        }
        if (failure != null) {
            return failed(failure);
        }
        boolean asAsked = lasted.compareTo(timeout) >= 0;
        return asAsked || RetryPauses.isUseful(heard == Heard.PROGRESS, lasted)
                ? new Outcome.Ended(asAsked, lasted.compareTo(RetryPauses.SPACING) < 0) : new Outcome.Cut(tooSoon(lasted));
    }

    /** What a failure says, of the request or of the handling of what it brought. */
    Outcome failed(Throwable failure) {
        Outcome said = Outcome.of(failure, source.identity().description());
        boolean useful = listing == null
                && RetryPauses.isUseful(heard == Heard.PROGRESS, heard == Heard.NOTHING ? Duration.ZERO : lasted());
        return said instanceof Outcome.Failed why ? new Outcome.Failed(why.cause(), why.unknown(), useful, false) : said;
    }

    private Outcome endOfList(@Nullable Throwable failure) {
        if (failure == null) {
            return new Outcome.BrokenOff(
                    new TransportException("cannot list " + source.identity().description()
                            + ": the stream ended before its end mark", null));
        }
        if (failure instanceof IdleTimeout.SilentException) {
            return new Outcome.Overdue(heard != Heard.NOTHING);
        }
        Outcome.Failed failed = Outcome.failed(failure, source.identity().description());
        return heard != Heard.NOTHING && failed.cause() instanceof TransportException cut ? new Outcome.BrokenOff(cut) : failed;
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
}
