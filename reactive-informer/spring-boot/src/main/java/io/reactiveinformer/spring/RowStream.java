package io.reactiveinformer.spring;

import io.reactiveinformer.permissions.Permissions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.spring.RowMemories.Selection;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import io.reactiveinformer.view.Memory;
import io.reactiveinformer.view.Remembered;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Streams the rows of a view to browsers, each at its own pace; a browser that comes back receives what has changed meanwhile.
 *
 * <pre>{@code
 * @Bean
 * RowStream podStream(Informer<V1Pod> pods) {
 *     return RowStream.of(pods, PodRow::of, StreamOptions.named("pods"));
 * }
 *
 * @GetMapping(path = "/pods/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
 * Flux<ServerSentEvent<String>> pods(@RequestHeader HttpHeaders headers, @RequestParam MultiValueMap<String, String> query) {
 *     return podStream.events(StreamRequest.of(headers, query));
 * }
 * }</pre>
 *
 * <p>The events are {@code reset} (drop all rows; all follow), {@code row} with {@code {"key": …, "row": …}}, {@code gone} with {@code
 * {"key": …}}, {@code synced} (all rows that there were are told), and {@code pulse}, with {@code {"staleSince": …}} while the informer is
 * not in touch with its server, see {@link InformerStatus#staleSince}. Their ids are positions, see {@link Memory}. A row is computed and
 * written as JSON once for all browsers, when its object changes; a change of an object that does not change its row or its labels is not
 * sent. A row function that throws leaves the row as it was, with its labels; that is logged once, and in the status of the view.
 *
 * <p>Browsers with the same selection and the same rights share one {@link Memory}; it is kept for the retention after the last one has
 * left, and up to twice that, unless another selection needs its place. Thread-safe; no method waits for a browser.
 */
public final class RowStream implements AutoCloseable {

    private static final List<Remembered<ObjectKey, StreamRow>> UNKNOWN = List.of(new Remembered.Reset<>("unknown"));
    private static final Duration UNKNOWN_FOR = Duration.ofMillis(500);
    private static final int MOST_TOGETHER = 128;
    private static final int MOST_UNREAD = 20;

    private final View<ObjectKey, StreamRow> written;
    private final StreamOptions options;

    private final RowMemories memories;
    private final Sinks.Empty<Void> end = Sinks.empty();
    private int subscribers; // guarded by this, as closed is
    private boolean closed;

    private RowStream(View<ObjectKey, StreamRow> written, StreamOptions options) {
        this.written = written;
        this.options = options;
        this.memories = new RowMemories(written, options);
    }

    /**
     * A stream of the rows of {@code view}.
     *
     * @param view has objects with metadata under their own keys: models, trees, or classes of the user's with such a method
     * @param row computes what a browser receives of an object, written as JSON; must not block. If it throws, the row stays as it was
     */
    public static <T> RowStream of(View<ObjectKey, T> view, Function<? super T, ?> row, StreamOptions options) {
        Objects.requireNonNull(row, "row");
        return new RowStream(view.map(object -> StreamRow.of(object, row.apply(object))), options);
    }

    /**
     * The stream for one browser, as server-sent events. While its rights are {@link Permissions#UNKNOWN} for longer than half a second, it
     * has a {@code reset} and no {@code synced}: nothing is shown, and nobody is told that this is all. Changes that are not requested are
     * conflated by row, and cost nothing.
     *
     * <p>Completes when the informer is stopped, as in the shutdown of the application, so that browsers connect elsewhere; and when
     * nothing is requested for 20 pulses: the browser does not read, or has gone without the web server having noticed, and one that is
     * there connects again.
     *
     * <p>Fails with {@link ResponseStatusException}: 503 if there are as many subscribers, or selections in use, as the options allow.
     */
    public Flux<ServerSentEvent<String>> events(StreamRequest request) {
        return told(request, 1).map(told -> told.event(options.retry()));
    }

    /** As {@link #events}, as texts for a WebSocket: {@code {"event": …, "position": …, "data": …}}; a pulse has no position. */
    public Flux<String> messages(StreamRequest request) {
        return told(request, 1).map(Told::message);
    }

    /**
     * Writes the events of {@link #events} to {@code response}, those that there are at one time together: for many browsers, or many
     * changes.
     *
     * <p>What is next waits, conflated, until the connection has taken what was written: a browser that does not read costs a hundred
     * kilobytes, and some hundred rows that may be outdated. With Reactor Netty, whose connections are looked at again after pauses, one
     * that reads again after a while goes on within 0.7 s, and a connection that does not take what was written is closed when the stream
     * ends. Completes and fails as {@code events} does, with nothing written if it is refused.
     *
     * <pre>{@code
     * @GetMapping("/pods/stream")
     * Mono<Void> pods(@RequestHeader HttpHeaders headers, @RequestParam MultiValueMap<String, String> query, ServerHttpResponse response) {
     *     return podStream.writeTo(response, StreamRequest.of(headers, query));
     * }
     * }</pre>
     */
    public Mono<Void> writeTo(ServerHttpResponse response, StreamRequest request) {
        return PacedResponse.write(response, told(request, MOST_TOGETHER), options.retry());
    }

    /**
     * With other rights, all rows are told anew: a position of the rows before means nothing then, and a row before that waits for a slow
     * browser is not told any more.
     */
    private Flux<Told> told(StreamRequest request, int most) {
        return Flux.using(this::enter, entered -> {
            var position = new AtomicReference<>(request.position());
            var selections = new AtomicInteger();
            Flux<Flux<Told>> ofRights = request.rights().map(rights -> {
                int number = selections.incrementAndGet();
                return rights.equals(Permissions.UNKNOWN) ? unknown(new Told(number, selections, UNKNOWN, ""), position)
                        : of(new Selection(request.namespace(), request.labels(), rights), number > 1, position, most)
                                .map(rows -> new Told(number, selections, rows, ""));
            });
            Flux<Told> all = ofRights.startWith(Flux.<Told>never().takeUntilOther(ended()))
                    .switchMap(Flux::materialize).dematerialize(); // ends with the rows, not with the rights
            Flux<Told> pulses = Flux.interval(options.pulse()).onBackpressureDrop()
                    .withLatestFrom(written.status(), (tick, status) -> status).map(Told::pulse);
            var unread = new AtomicInteger();
            return merged(all, pulses).filter(Told::isPresent).doOnNext(told -> unread.set(0))
                    .takeUntilOther(Flux.interval(options.pulse()).filter(tick -> unread.incrementAndGet() > MOST_UNREAD).next());
        }, entered -> leave()).takeUntilOther(end.asMono());
    }

    private Mono<InformerStatus> ended() {
        return written.status().filter(status -> status.state() == State.STOPPED).next();
    }

    /** Rights are not known any more when the informers stop, too: browsers that connect elsewhere then keep what they show. */
    private Flux<Told> unknown(Told reset, AtomicReference<@Nullable String> position) {
        return Mono.delay(UNKNOWN_FOR).doOnNext(any -> position.set(null)).map(any -> reset)
                .concatWith(Mono.never()).takeUntilOther(ended());
    }

    /** Ends with the rows: a pulse never ends by itself. Requests one ahead, so that changes wait where they are conflated. */
    private static <E> Flux<E> merged(Flux<E> rows, Flux<E> pulses) {
        return rows.publish(shared -> Flux.merge(1, shared, pulses.takeUntilOther(shared.ignoreElements().onErrorComplete())), 1);
    }

    private Flux<List<Remembered<ObjectKey, StreamRow>>> of(
            Selection selection, boolean again, AtomicReference<@Nullable String> position, int most) {
        return Flux.using(() -> memories.lease(selection, again), shared -> shared.memory().batchesSince(position.getAndSet(null), most,
                Delivery.conflated().named(options.name())), memories::release);
    }

    private synchronized boolean enter() {
        if (closed) {
            throw RowMemories.refused(options, "is closed");
        }
        if (subscribers >= options.subscribers()) {
            throw RowMemories.refused(options, "has " + subscribers + " subscribers, which is the most that its options allow");
        }
        subscribers++;
        return true;
    }

    private synchronized void leave() {
        subscribers--;
    }

    /** The number of browsers that are connected. */
    public synchronized int subscribers() {
        return subscribers;
    }

    /**
     * Completes all streams at once, also those of browsers that do not read. What was handed to the web server before may still wait in a
     * connection; the server decides when it gives up.
     */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        end.tryEmitEmpty();
        memories.close();
    }
}
