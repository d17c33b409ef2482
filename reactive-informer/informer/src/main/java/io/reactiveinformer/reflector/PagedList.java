package io.reactiveinformer.reflector;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.internal.InLine;
import io.reactiveinformer.internal.Interruption;
import io.reactiveinformer.internal.PageGuard;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.reflector.Phase.Freshness;
import io.reactiveinformer.reflector.Phase.How;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceVersionExpiredException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.source.ListerWatcher;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;

/** The complete state, page after page. For one subscription. */
final class PagedList<T> {

    /** A list that is silent for this long is lost: the server itself gives up after 60 s. */
    static final Duration SILENCE = Duration.ofSeconds(60).plus(Interruption.MARGIN);

    /** Most times that one object may come while the list doubles. A server that repeats itself would go on forever. */
    static final int MOST_REPEATS = 100;

    /** A page of fewer objects is nearly empty, unless no more were asked for. */
    static final int FEW = 10;

    /** This many nearly empty pages of one list are requested without a pause: some aggregated API servers filter, or cut pages by time. */
    static final int MOST_FEW_PAGES = 100;

    /** Pause before each further nearly empty page. A server's token is valid for minutes, and so for some thousand pages. */
    static final Duration PAGE_SPACING = Duration.ofMillis(100);

    /** After this time, a list has to bring an object each {@link #SLOWEST} on average. */
    static final Duration SLOW_START = Duration.ofMinutes(3);

    /** A list that is slower, such as one whose bytes come one by one, would take hours: the server's own limit is a minute. */
    static final Duration SLOWEST = Duration.ofSeconds(10);

    private final ListerWatcher<T> source;
    private final ReflectorOptions options;
    private final Position<T> position;
    private final Phase.Listing listing;
    private final Consumer<Outcome> outcome;
    private final HeapRoom room;

    /** The version of the first page, which the server promises for all pages. */
    private @Nullable String version;

    /** The token of the next page; null if there is none, or while the current page has not ended. */
    private @Nullable String continueToken;

    private final PageGuard guard = new PageGuard();

    /** How many objects the current page has brought so far, and how many pages were nearly empty. */
    private int onPage;
    private boolean few; // the page before
    private int fewPages;

    /**
     * One object, replaced each time the list has doubled, and how often it has come again: Brent's algorithm for finding a cycle, in
     * constant space.
     */
    private @Nullable ObjectKey landmark;
    private int repeats;

    private boolean continued;
    private boolean ended;

    /** How many items and pages have come, and when the first of them did. */
    private int received;
    private long firstAt;

    PagedList(
            ListerWatcher<T> source,
            ReflectorOptions options,
            Position<T> position,
            Phase.Listing listing,
            Consumer<Outcome> outcome) {
        this.source = source;
        this.options = options;
        this.position = position;
        this.listing = listing;
        this.outcome = outcome;
        this.room = new HeapRoom(source.identity().description());
    }

    Flux<ReflectorEvent<T>> events() {
        Reading<T> reading = Reading.of(position.knownFor(listing.freshness())::find);
        return Flux.defer(() -> pause().thenMany(Flux.defer(() -> nextPage(reading))))
                .transform(Silence.fails(() -> SILENCE, options.timer(), source.identity().description()))
                .doOnNext(this::turnPage)
                .repeat(() -> continueToken != null)
                .materialize()
                .concatMapIterable(this::hear);
    }

    private Mono<Long> pause() {
        return few && fewPages > MOST_FEW_PAGES ? Mono.delay(PAGE_SPACING, options.timer()) : Mono.empty();
    }

    /** Once begun, a list goes before others, or its token might expire while these are sent. */
    private Flux<ObjectEvent<T>> nextPage(Reading<T> reading) {
        ListOptions page = page();
        continued = continueToken != null;
        continueToken = null;
        ended = false;
        Flux<ObjectEvent<T>> events = source.list(page, reading);
        return continued ? InLine.urgent(events) : events;
    }

    /**
     * A version goes with {@code NotOlderThan}, or a limit would make it {@code Exact}, and without limit, or the server would ask its
     * store instead of its cache. "0" goes alone, which servers of every version understand.
     */
    private ListOptions page() {
        ListOptions sized = ListOptions.defaults().withLimit(listing.how() == How.WHOLE ? 0 : options.pageSize());
        if (continueToken != null) {
            return sized.withContinue(continueToken);
        }
        String reached = position.reached();
        if (listing.freshness() == Freshness.ANY) {
            return sized.withResourceVersion(ResourceVersion.ANY, null);
        }
        return listing.freshness() == Freshness.NOT_OLDER && reached != null
                ? sized.withLimit(0).withResourceVersion(reached, ListOptions.Match.NOT_OLDER_THAN)
                : sized;
    }

    private void turnPage(ObjectEvent<T> event) {
        checkPace();
        ObjectKey key = event.key();
        if (key != null) {
            checkCircle(key);
            room.check();
            onPage++;
            guard.object(key);
        }
        if (event instanceof ObjectEvent.PageEnd<T> end) {
            ended = true;
            few = onPage < Math.min(FEW, options.pageSize());
            fewPages += few ? 1 : 0;
            onPage = 0;
            version = version == null ? end.resourceVersion() : version;
            String next = end.continueToken();
            continueToken = next == null || next.isEmpty() ? null : next;
            String why = guard.turn(continueToken);
            if (why != null) {
                throw new EndlessException(why);
            }
        }
    }

    private void checkPace() {
        long now = options.timer().now(TimeUnit.NANOSECONDS);
        firstAt = received++ == 0 ? now : firstAt;
        Duration lasted = Duration.ofNanos(now - firstAt);
        if (lasted.compareTo(SLOW_START) >= 0 && lasted.compareTo(SLOWEST.multipliedBy(received)) > 0) {
            throw new TransportException(
                    cannotList() + "only " + received + " objects and pages came in " + lasted.toSeconds() + " s", null);
        }
    }

    private void checkCircle(ObjectKey key) {
        if (key.equals(landmark) && ++repeats >= MOST_REPEATS) {
            throw new EndlessException("of " + received + " objects and pages, " + key + " came " + repeats + " times");
        }
        if (Integer.bitCount(received) == 1) {
            landmark = key;
            repeats = 0;
        }
    }

    private String cannotList() {
        return "cannot list " + source.identity().description() + ": ";
    }

    private Outcome outcomeOf(Throwable failure) {
        if (failure instanceof EndlessException endless) {
            return new Outcome.PageLost(new TransportException(cannotList() + endless.getMessage(), null));
        }
        Outcome.Failed failed = Outcome.failed(failure, source.identity().description());
        return continued && failure instanceof ResourceVersionExpiredException ? new Outcome.PageLost(failed.cause()) : failed;
    }

    private List<ReflectorEvent<T>> hear(Signal<ObjectEvent<T>> signal) {
        ObjectEvent<T> event = signal.get();
        if (event != null) {
            return position.listed(event);
        }
        Throwable failure = signal.getThrowable();
        if (failure != null) {
            outcome.accept(outcomeOf(failure));
            return List.of();
        }
        if (version == null || !ended) {
            outcome.accept(new Outcome.Failed(
                    new TransportException(cannotList() + "the answer ended before the list did", null)));
            return List.of();
        }
        ReflectorEvent<T> ended = position.listingEnded(version, listing.freshness());
        outcome.accept(new Outcome.Complete());
        return List.of(ended);
    }

    /** The list would never end, or its next page cannot be requested. Has no stack trace: it is a normal outcome, not a defect. */
    private static final class EndlessException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        EndlessException(String reason) {
            super(reason, null, false, false);
        }
    }
}
