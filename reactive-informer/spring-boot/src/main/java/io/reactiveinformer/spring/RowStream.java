package io.reactiveinformer.spring;

import io.netty.channel.Channel;
import io.reactiveinformer.permissions.Permissions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import io.reactiveinformer.view.Memory;
import io.reactiveinformer.view.Remembered;
import io.reactiveinformer.view.View;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.Connection;
import reactor.netty.http.server.HttpServerResponse;
import tools.jackson.databind.json.JsonMapper;

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
 * left, and up to twice that, unless another selection needs its place. Thread-safe; no method waits for another one's work.
 */
public final class RowStream implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String NOTHING = "{}";
    private static final List<Remembered<ObjectKey, Written>> UNKNOWN = List.of(new Remembered.Reset<>("unknown"));
    private static final Duration UNKNOWN_FOR = Duration.ofMillis(500);
    private static final int MOST_TOGETHER = 128;
    private static final int ENOUGH = 32 * 1024;
    private static final int MOST_UNREAD = 20;

    private final View<ObjectKey, Written> written;
    private final StreamOptions options;

    // Guarded by this.
    private final Map<Selection, Shared> memories = new HashMap<>();
    private int subscribers;
    private boolean closed;
    private boolean forgetting;
    private final Sinks.Empty<Void> end = Sinks.empty();

    /** A row as it is sent. */
    private record Written(ObjectKey key, Map<String, String> labels, String json) {}

    /** Which rows a browser receives. */
    private record Selection(@Nullable String namespace, Selector labels, Predicate<? super ObjectKey> rights) {

        boolean isAll() {
            return namespace == null && labels.labels().isEmpty() && rights == StreamRequest.ALL;
        }

        boolean shows(Written row) {
            return (namespace == null || namespace.equals(row.key.namespace())) && labels.matchesLabels(row.labels) && rights.test(row.key);
        }
    }

    /** The memory of all browsers with one selection; made by its first one, without the lock of the stream. */
    private static final class Shared {

        private final Supplier<Memory<ObjectKey, Written>> create;
        private @Nullable Memory<ObjectKey, Written> memory;
        private boolean closed;
        int users;
        long idleSince;

        Shared(Supplier<Memory<ObjectKey, Written>> create) {
            this.create = create;
        }

        synchronized Memory<ObjectKey, Written> memory() {
            Memory<ObjectKey, Written> present = memory == null ? create.get() : memory;
            memory = present;
            if (closed) {
                present.close();
            }
            return present;
        }

        synchronized void close() {
            closed = true;
            if (memory != null) {
                memory.close();
            }
        }
    }

    /**
     * What a browser is told together: rows, or a pulse.
     *
     * @param selection the number of the selection that the rows are of
     * @param latest the number of the latest one
     * @param pulse its data; empty if it is none
     */
    private record Told(int selection, AtomicInteger latest, List<Remembered<ObjectKey, Written>> rows, String pulse) {

        static Told pulse(InformerStatus status) {
            Instant since = status.staleSince();
            return new Told(0, new AtomicInteger(), List.of(), since == null ? NOTHING : "{\"staleSince\":\"" + since + "\"}");
        }

        /** Whether the rows may still be told. */
        boolean isPresent() {
            return selection == latest.get();
        }
    }

    private RowStream(View<ObjectKey, Written> written, StreamOptions options) {
        this.written = written;
        this.options = options;
    }

    /**
     * A stream of the rows of {@code view}.
     *
     * @param view has objects with metadata under their own keys: models, trees, or classes of the user's with such a method
     * @param row computes what a browser receives of an object, written as JSON; must not block. If it throws, the row stays as it was
     */
    public static <T> RowStream of(View<ObjectKey, T> view, Function<? super T, ?> row, StreamOptions options) {
        Objects.requireNonNull(row, "row");
        return new RowStream(view.map(object -> write(object, row.apply(object))), options);
    }

    private static Written write(Object object, @Nullable Object row) {
        var metadata = PartialObjectMetadata.of(object).metadata();
        if (metadata.getName() == null) {
            throw new IllegalArgumentException("an object without a name cannot be streamed");
        }
        ObjectKey key = ObjectKey.of(metadata.getNamespace(), metadata.getName());
        return new Written(key, PartialObjectMetadata.labels(object),
                "{\"key\":" + JSON.writeValueAsString(key.toString()) + ",\"row\":" + JSON.writeValueAsString(row) + "}");
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
        return told(request, 1).map(this::event);
    }

    /** As {@link #events}, as texts for a WebSocket: {@code {"event": …, "position": …, "data": …}}; a pulse has no position. */
    public Flux<String> messages(StreamRequest request) {
        return told(request, 1).map(RowStream::message);
    }

    /**
     * Writes the events of {@link #events} to {@code response}, those that there are at one time together: for many browsers, or many
     * changes. The last one that is written together with others has the id, and so has each {@code reset}.
     *
     * <p>What is next waits, conflated, until the connection has taken what was written: a browser that does not read costs a hundred
     * kilobytes, and some hundred rows that may be outdated. With Reactor Netty, whose connections are looked at again after pauses, one
     * that reads again after a while goes on within 0.7 s. Completes and fails as {@code events} does, with nothing written if it is refused.
     *
     * <pre>{@code
     * @GetMapping("/pods/stream")
     * Mono<Void> pods(@RequestHeader HttpHeaders headers, @RequestParam MultiValueMap<String, String> query, ServerHttpResponse response) {
     *     return podStream.writeTo(response, StreamRequest.of(headers, query));
     * }
     * }</pre>
     */
    public Mono<Void> writeTo(ServerHttpResponse response, StreamRequest request) {
        Mono<DataBuffer> taken = taken(response);
        Flux<DataBuffer> pieces = told(request, MOST_TOGETHER).concatMap(this::pieces, 0).concatMap(piece -> Flux.concat(
                Mono.just(response.bufferFactory().wrap(piece.getBytes(StandardCharsets.UTF_8))), taken), 0);
        response.getHeaders().setContentType(MediaType.TEXT_EVENT_STREAM);
        return response.writeAndFlushWith(pieces.map(Mono::just)).doOnError(refused -> {
            if (!response.isCommitted()) {
                response.getHeaders().remove(HttpHeaders.CONTENT_TYPE);
            }
        });
    }

    /** Completes when the connection takes more. Reactor Netty requests a hundred pieces without asking it; other servers one at a time. */
    private Mono<DataBuffer> taken(ServerHttpResponse response) {
        ServerHttpResponse own = response;
        while (own instanceof ServerHttpResponseDecorator decorator) {
            own = decorator.getDelegate();
        }
        if (!(own.bufferFactory() instanceof NettyDataBufferFactory && own instanceof AbstractServerHttpResponse server
                && server.getNativeResponse() instanceof HttpServerResponse netty)) {
            return Mono.empty();
        }
        var connections = new ArrayList<Connection>(1);
        netty.withConnection(connections::add); // at once
        Channel channel = connections.get(0).channel();
        Scheduler loop = Schedulers.fromExecutorService(channel.eventLoop());
        return Mono.just(channel).subscribeOn(loop).filter(open -> open.isWritable() || !open.isActive()) // after the write
                .repeatWhenEmpty(Integer.MAX_VALUE, tries -> tries
                        .concatMap(n -> Mono.delay(Duration.ofMillis(10L << Math.min(n, 6)), loop)))
                .takeUntilOther(end.asMono()).then(Mono.empty());
    }

    /** The events, in pieces of some kilobytes each, as long as they may be told. */
    private Flux<String> pieces(Told told) {
        if (told.rows.isEmpty()) {
            return Flux.just("event:pulse\ndata:" + told.pulse + "\n\n");
        }
        return Flux.generate(told.rows::iterator, (rest, sink) -> {
            var piece = new StringBuilder();
            while (rest.hasNext() && piece.length() < ENOUGH && told.isPresent()) {
                Remembered<ObjectKey, Written> row = rest.next();
                if (isOfAll(row)) {
                    piece.append("retry:").append(options.retry().toMillis()).append('\n');
                }
                piece.append("event:").append(name(row)).append("\ndata:").append(data(row)).append('\n');
                if (!rest.hasNext() || piece.length() >= ENOUGH || row instanceof Remembered.Reset) {
                    piece.append("id:").append(row.position()).append('\n');
                }
                piece.append('\n');
            }
            if (piece.isEmpty()) {
                sink.complete();
            } else {
                sink.next(piece.toString());
            }
            return rest;
        });
    }

    private static String message(Told told) {
        if (told.rows.isEmpty()) {
            return "{\"event\":\"pulse\",\"data\":" + told.pulse + "}";
        }
        Remembered<ObjectKey, Written> row = told.rows.get(0);
        return "{\"event\":\"" + name(row) + "\",\"position\":\"" + row.position() + "\",\"data\":" + data(row) + "}";
    }

    private ServerSentEvent<String> event(Told told) {
        if (told.rows.isEmpty()) {
            return ServerSentEvent.builder(told.pulse).event("pulse").build();
        }
        Remembered<ObjectKey, Written> row = told.rows.get(0);
        var event = ServerSentEvent.builder(data(row)).event(name(row)).id(row.position());
        return (isOfAll(row) ? event.retry(options.retry()) : event).build();
    }

    private static boolean isOfAll(Remembered<ObjectKey, Written> row) {
        return row instanceof Remembered.Synced || row instanceof Remembered.Reset;
    }

    private static String name(Remembered<ObjectKey, Written> one) {
        return one instanceof Remembered.Row ? "row" : one instanceof Remembered.Gone ? "gone" : one instanceof Remembered.Reset ? "reset"
                : "synced";
    }

    private static String data(Remembered<ObjectKey, Written> one) {
        return one instanceof Remembered.Row<ObjectKey, Written> row ? row.entry().object().json
                : one instanceof Remembered.Gone<ObjectKey, Written> gone
                        ? "{\"key\":" + JSON.writeValueAsString(gone.key().toString()) + "}" : NOTHING;
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

    private Flux<List<Remembered<ObjectKey, Written>>> of(
            Selection selection, boolean again, AtomicReference<@Nullable String> position, int most) {
        return Flux.using(() -> lease(selection, again), shared -> shared.memory().batchesSince(position.getAndSet(null), most,
                Delivery.conflated().named(options.name())), this::release);
    }

    private synchronized boolean enter() {
        if (closed) {
            throw refused("the stream " + options.name() + " is closed");
        }
        if (subscribers >= options.subscribers()) {
            throw refused("the stream " + options.name() + " has " + subscribers
                    + " subscribers, which is the most that its options allow");
        }
        subscribers++;
        return true;
    }

    private static ResponseStatusException refused(String why) {
        return new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, why + "; try again later");
    }

    private synchronized void leave() {
        subscribers--;
    }

    /** @param again the same browser has another selection now, which is never refused: what it may not see any more has to go */
    private Shared lease(Selection selection, boolean again) {
        Shared outdated = null;
        Shared shared;
        synchronized (this) {
            shared = memories.get(selection);
            if (shared == null) {
                outdated = makeRoom(again);
                shared = new Shared(() -> (selection.isAll() ? written : written.filter(selection::shows))
                        .remembering(options.retention()));
                memories.put(selection, shared);
            }
            shared.users++;
        }
        if (outdated != null) {
            outdated.close();
        }
        return shared;
    }

    private @Nullable Shared makeRoom(boolean again) {
        if (closed) {
            throw refused("the stream " + options.name() + " is closed");
        }
        if (memories.size() < options.selections()) {
            return null;
        }
        long used = memories.values().stream().filter(one -> one.users > 0).count();
        if (used >= options.selections() && !again) {
            throw refused("the stream " + options.name() + " has subscribers with " + used
                    + " different selections or rights, which is the most that its options allow");
        }
        return memories.entrySet().stream().filter(one -> one.getValue().users == 0)
                .min(Comparator.comparing(one -> one.getValue().idleSince))
                .map(one -> memories.remove(one.getKey())).orElse(null);
    }

    private synchronized void release(Shared shared) {
        shared.users--;
        shared.idleSince = now();
        forgetLater();
    }

    private void forgetLater() {
        if (!forgetting && !closed) {
            forgetting = true;
            Schedulers.parallel().schedule(this::forget, options.retention().time().toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void forget() {
        List<Shared> outdated;
        synchronized (this) {
            forgetting = false;
            long since = now() - options.retention().time().toMillis();
            outdated = memories.values().stream().filter(one -> one.users == 0 && one.idleSince <= since).toList();
            memories.values().removeAll(outdated);
            if (memories.values().stream().anyMatch(one -> one.users == 0)) {
                forgetLater();
            }
        }
        outdated.forEach(Shared::close);
    }

    private static long now() {
        return Schedulers.parallel().now(TimeUnit.MILLISECONDS);
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
        List<Shared> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(memories.values());
            memories.clear();
        }
        end.tryEmitEmpty();
        all.forEach(Shared::close);
    }
}
