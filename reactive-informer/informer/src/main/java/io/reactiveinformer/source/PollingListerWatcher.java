package io.reactiveinformer.source;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.internal.informer.SameContent;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Answers a watch with the differences between lists. Keeps the last list, and numbers states itself, since the objects of types that
 * cannot be watched hardly have versions. A number is at least the time in milliseconds, so that a later process continues.
 */
final class PollingListerWatcher<T> extends ListerWatcher.Forwarding<T> {

    private static final int PAGE = 500;

    private final ListerWatcher<T> source;
    private final Duration period;
    private final Scheduler timer;

    // Used by one request at a time.
    /** The objects of the last list; null where the first state could not be read. */
    private Map<ObjectKey, @Nullable Versioned<T>> held = Map.of();
    private long number;
    private long listedAt;

    PollingListerWatcher(ListerWatcher<T> source, Duration period, Scheduler timer) {
        super(source);
        if (period.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("the period must be at least 1s, was " + period);
        }
        this.source = source;
        this.period = period;
        this.timer = timer;
    }

    /** Contents are compared anyway, and the server does not know the numbers. */
    @Override
    public Identity identity() {
        return Identity.of(source.identity().description(), source.identity().part());
    }

    /** Everything in one page, whatever the options: their versions are not the server's. */
    @Override
    public Flux<ObjectEvent<T>> list(ListOptions options, Reading<T> reading) {
        return Flux.defer(() -> {
            Map<ObjectKey, @Nullable Versioned<T>> next = new LinkedHashMap<>();
            return all().handle((event, sink) -> {
                if (!(event instanceof ObjectEvent.PageEnd<T> end)) {
                    sink.next(numbered(event, next));
                } else if (next(end) == null) {
                    complete(next);
                    sink.next(new ObjectEvent.PageEnd<>(nextNumber(), null));
                }
            });
        });
    }

    @Override
    public Flux<ObjectEvent<T>> watch(WatchOptions options, Reading<T> reading) {
        if (options.initialEvents()) {
            return Flux.error(StatusException.of(
                    Status.of(400, "BadRequest", "lists by period cannot be streamed"), "watch " + identity().description()));
        }
        return Flux.defer(() -> {
            Duration rest = period.minusNanos(now() - listedAt);
            Flux<ObjectEvent<T>> opened = Flux.just(new ObjectEvent.Opened<>());
            Flux<ObjectEvent<T>> first = rest.isNegative() || rest.isZero()
                    ? differences().flatMapMany(events -> opened.concatWith(Flux.fromIterable(events))) // opened only if the server answers
                    : opened.concatWith(after(rest));
            return first.concatWith(after(period).repeat()).take(options.timeout(), timer);
        });
    }

    private Flux<ObjectEvent<T>> after(Duration pause) {
        return Mono.delay(pause, timer).then(differences()).flatMapIterable(events -> events);
    }

    private Flux<ObjectEvent<T>> all() {
        return Flux.defer(() -> {
            var token = new AtomicReference<@Nullable String>();
            return Flux.defer(() -> page(token)).repeat(() -> token.get() != null);
        });
    }

    /** @param token of the page; replaced by that of the next one, null if there is none */
    private Flux<ObjectEvent<T>> page(AtomicReference<@Nullable String> token) {
        String asked = token.getAndSet(null);
        return source.list(ListOptions.defaults().withLimit(PAGE).withContinue(asked), Reading.anew()).doOnNext(event -> {
            String next = event instanceof ObjectEvent.PageEnd<T> end ? next(end) : null;
            if (next != null && next.equals(asked)) {
                throw new TransportException("cannot list " + identity().description()
                        + ": the server repeats a page, and never ends", null);
            }
            token.set(next);
        });
    }

    private static @Nullable String next(ObjectEvent.PageEnd<?> end) {
        String token = end.continueToken();
        return token == null || token.isEmpty() ? null : token;
    }

    /** Lists, and emits what has changed since the last list, and a bookmark. */
    private Mono<List<ObjectEvent<T>>> differences() {
        return Mono.defer(() -> {
            Map<ObjectKey, @Nullable Versioned<T>> next = new LinkedHashMap<>();
            List<ObjectEvent<T>> events = new ArrayList<>();
            return all().doOnNext(event -> {
                if (!(event instanceof ObjectEvent.PageEnd)) {
                    ObjectEvent<T> numbered = numbered(event, next);
                    Versioned<T> entry = numbered.entry();
                    if (entry == null || !entry.equals(held.get(event.key()))) {
                        events.add(numbered);
                    }
                }
            }).then(Mono.fromSupplier(() -> {
                held.forEach((key, before) -> {
                    if (!next.containsKey(key)) {
                        events.add(gone(key, before));
                    }
                });
                complete(next);
                events.add(new ObjectEvent.Bookmark<>(nextNumber(), false));
                return events;
            }));
        });
    }

    private ObjectEvent<T> gone(ObjectKey key, @Nullable Versioned<T> before) {
        return before == null
                ? new ObjectEvent.Unreadable<>(key, null, nextNumber(), true, new UnreadableObjectException(key + " was never read", null))
                : new ObjectEvent.Deleted<>(key, new Versioned<>(before.uid(), nextNumber(), before.object()));
    }

    /** With the state of the last list if the object has not changed, else one with the next number. */
    private ObjectEvent<T> numbered(ObjectEvent<T> event, Map<ObjectKey, @Nullable Versioned<T>> next) {
        ObjectKey key = Objects.requireNonNull(event.key(), "of an object");
        Versioned<T> before = held.get(key);
        if (event instanceof ObjectEvent.Unreadable<T> item) {
            next.put(key, before);
            return new ObjectEvent.Unreadable<>(key, item.uid(), nextNumber(), false, item.failure());
        }
        Versioned<T> listed = Objects.requireNonNull(event.entry(), "of a readable object");
        boolean same = before != null && Objects.equals(before.uid(), listed.uid()) && SameContent.of(before.object(), listed.object());
        Versioned<T> entry = same && before != null ? before : new Versioned<>(listed.uid(), nextNumber(), listed.object());
        next.put(key, entry);
        return new ObjectEvent.Applied<>(key, entry, before != null);
    }

    private void complete(Map<ObjectKey, @Nullable Versioned<T>> next) {
        held = next;
        listedAt = now();
    }

    private String nextNumber() {
        number = Math.max(number + 1, timer.now(TimeUnit.MILLISECONDS));
        return Long.toString(number);
    }

    private long now() {
        return timer.now(TimeUnit.NANOSECONDS);
    }

    @Override
    public String toString() {
        return source + ", listed each " + period;
    }
}
