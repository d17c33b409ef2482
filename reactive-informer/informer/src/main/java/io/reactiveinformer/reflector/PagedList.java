package io.reactiveinformer.reflector;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.internal.Interruption;
import io.reactiveinformer.internal.ListWaits;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.reflector.Phase.Freshness;
import io.reactiveinformer.reflector.Phase.How;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceVersionExpiredException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.source.ListerWatcher;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Signal;

/** The complete state, page after page. For one subscription. */
final class PagedList<T> {

    /** A list that is silent for this long is lost: the server itself gives up after 60 s. */
    static final Duration SILENCE = Duration.ofSeconds(60).plus(Interruption.MARGIN);

    private final ListerWatcher<T> source;
    private final ReflectorOptions options;
    private final EventTranslator<T> position;
    private final Phase.Listing listing;
    private final Consumer<Outcome> outcome;
    private final ListGuard guard;

    /** The version of the first page, which the server promises for all pages; null before the end of that page. */
    private @Nullable String version;

    /** The token of the next page; empty after the last page, and null while the current page has not ended. */
    private @Nullable String next = "";

    PagedList(
            ListerWatcher<T> source,
            ReflectorOptions options,
            EventTranslator<T> position,
            Phase.Listing listing,
            Consumer<Outcome> outcome) {
        this.source = source;
        this.options = options;
        this.position = position;
        this.listing = listing;
        this.outcome = outcome;
        this.guard = new ListGuard(source.identity().description(), options.pageSize(), options.timer());
    }

    Flux<ReflectorEvent<T>> events() {
        Reading<T> reading = Reading.of(position.knownFor(listing.freshness())::find);
        return Flux.defer(() -> guard.pause().thenMany(Flux.defer(() -> nextPage(reading))))
                .transform(IdleTimeout.after(() -> SILENCE, options.timer(), source.identity().description()))
                .doOnNext(this::turnPage)
                .repeat(() -> next != null && !next.isEmpty())
                .materialize()
                .concatMapIterable(this::hear);
    }

    /** Once begun, a list goes before others, or its token might expire while these are sent. */
    private Flux<ObjectEvent<T>> nextPage(Reading<T> reading) {
        ListOptions page = page();
        next = null;
        Flux<ObjectEvent<T>> events = source.list(page, reading);
        return version == null ? events : ListWaits.urgent(events);
    }

    /**
     * A version goes with {@code NotOlderThan}, or a limit would make it {@code Exact}, and without limit, or the server would ask its
     * store instead of its cache. "0" goes alone, which servers of every version understand.
     */
    private ListOptions page() {
        ListOptions sized = ListOptions.defaults().withLimit(listing.how() == How.WHOLE ? 0 : options.pageSize());
        if (version != null) {
            return sized.withContinue(next);
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
        guard.received(event);
        if (event instanceof ObjectEvent.PageEnd<T> end) {
            version = version == null ? end.resourceVersion() : version;
            next = Objects.requireNonNullElse(end.continueToken(), "");
        }
    }

    private Outcome outcomeOf(Throwable failure) {
        return version != null && failure instanceof ResourceVersionExpiredException expired
                ? new Outcome.PageLost(expired) : Outcome.of(failure, source.identity().description());
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
        if (version == null || next == null) {
            outcome.accept(new Outcome.Failed(new TransportException(
                    "cannot list " + source.identity().description() + ": the answer ended before the list did", null)));
            return List.of();
        }
        ReflectorEvent<T> ended = position.listingEnded(version, listing.freshness());
        outcome.accept(new Outcome.Complete());
        return List.of(ended);
    }
}
