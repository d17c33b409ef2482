package io.reactiveinformer.spring;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.Memory;
import io.reactiveinformer.view.Remembered;
import io.reactiveinformer.view.View;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
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
 * {"key": …}}, {@code synced} (all rows that there were are told), and {@code pulse}. Their ids are positions, see {@link Memory}. A row is
 * computed and written as JSON once for all browsers, when its object changes; a change of an object that does not change its row or its
 * labels is not sent. A row function that throws leaves the row as it was; that is logged once, and in the status of the view.
 *
 * <p>Browsers with the same selection and the same rights share one {@link Memory}; it is kept for the retention after the last one has
 * left. Thread-safe; no method blocks.
 */
public final class RowStream implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String NOTHING = "{}";

    private final View<ObjectKey, Written> written;
    private final StreamOptions options;

    // Guarded by this.
    private final Map<Selection, Shared> memories = new HashMap<>();
    private int subscribers;
    private boolean closed;
    private boolean forgetting;

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

    /** The memory of all browsers with one selection. */
    private static final class Shared {

        final Memory<ObjectKey, Written> memory;
        int users;
        long idleSince;

        Shared(Memory<ObjectKey, Written> memory) {
            this.memory = memory;
        }
    }

    private RowStream(View<ObjectKey, Written> written, StreamOptions options) {
        this.written = written;
        this.options = options;
    }

    /**
     * A stream of the rows of {@code view}.
     *
     * @param view has objects with metadata: models, trees, or classes of the user's with such a method
     * @param row computes what a browser receives of an object, written as JSON; must not block. If it throws, the row stays as it was
     */
    public static <T> RowStream of(View<ObjectKey, T> view, Function<? super T, ?> row, StreamOptions options) {
        Objects.requireNonNull(row, "row");
        return new RowStream(view.map(object -> write(object, row.apply(object))), options);
    }

    private static Written write(Object object, @Nullable Object row) {
        var metadata = PartialObjectMetadata.of(object).metadata();
        ObjectKey key = ObjectKey.of(metadata.getNamespace(), String.valueOf(metadata.getName()));
        return new Written(key, PartialObjectMetadata.labels(object),
                "{\"key\":" + JSON.writeValueAsString(key.toString()) + ",\"row\":" + JSON.writeValueAsString(row) + "}");
    }

    /**
     * The stream for one browser, as server-sent events. Completes when the informer is stopped, as in the shutdown of the application, so
     * that browsers connect elsewhere. Changes that are not requested are conflated by row, and cost nothing.
     *
     * <p>Fails with {@link ResponseStatusException}: 503 if there are as many subscribers, or selections in use, as the options allow.
     */
    public Flux<ServerSentEvent<String>> events(StreamRequest request) {
        Flux<ServerSentEvent<String>> told = told(request).map(RowStream::event);
        Flux<ServerSentEvent<String>> pulses = pulse().map(tick -> event("pulse", NOTHING).build());
        return merged(told, pulses).startWith(ServerSentEvent.<String>builder().retry(options.retry()).build());
    }

    /** As {@link #events}, as texts for a WebSocket: {@code {"event": …, "position": …, "data": …}}. */
    public Flux<String> messages(StreamRequest request) {
        Flux<String> told = told(request).map(one -> "{\"event\":\"" + name(one) + "\",\"position\":\"" + one.position() + "\",\"data\":"
                + data(one) + "}");
        return merged(told, pulse().map(tick -> "{\"event\":\"pulse\"}"));
    }

    private static ServerSentEvent<String> event(Remembered<ObjectKey, Written> one) {
        return event(name(one), data(one)).id(one.position()).build();
    }

    private static ServerSentEvent.Builder<String> event(String name, String data) {
        return ServerSentEvent.builder(data).event(name);
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

    private Flux<Long> pulse() {
        return Flux.interval(options.pulse()).onBackpressureDrop();
    }

    /** Ends with what is told: a pulse never ends by itself. Requests one ahead, so that changes wait where they are conflated. */
    private static <E> Flux<E> merged(Flux<E> told, Flux<E> pulses) {
        return told.publish(shared -> Flux.merge(1, shared, pulses.takeUntilOther(shared.ignoreElements().onErrorComplete())), 1);
    }

    /** With other rights, all rows are told anew: a position of the rows before means nothing then. */
    private Flux<Remembered<ObjectKey, Written>> told(StreamRequest request) {
        return Flux.using(this::enter, entered -> {
            var position = new AtomicReference<>(request.position());
            return request.rights()
                    .switchMap(rights -> of(new Selection(request.namespace(), request.labels(), rights), position).materialize())
                    .<Remembered<ObjectKey, Written>>dematerialize(); // ends with the rows, not with the rights
        }, entered -> leave());
    }

    private Flux<Remembered<ObjectKey, Written>> of(Selection selection, AtomicReference<@Nullable String> position) {
        return Flux.using(() -> lease(selection),
                shared -> shared.memory.changesSince(position.getAndSet(null), Delivery.conflated().named(options.name())), this::release);
    }

    private synchronized boolean enter() {
        if (closed) {
            throw refused("the stream " + options.name() + " is closed");
        }
        if (subscribers >= options.subscribers()) {
            throw refused("the stream " + options.name() + " has " + subscribers + " subscribers, which is the most that its options allow");
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

    private synchronized Shared lease(Selection selection) {
        Shared shared = memories.get(selection);
        if (shared == null) {
            makeRoom();
            shared = new Shared((selection.isAll() ? written : written.filter(selection::shows)).remembering(options.retention()));
            memories.put(selection, shared);
        }
        shared.users++;
        return shared;
    }

    private void makeRoom() {
        if (closed) {
            throw refused("the stream " + options.name() + " is closed");
        }
        if (memories.size() >= options.selections()) {
            var longest = memories.entrySet().stream().filter(one -> one.getValue().users == 0)
                    .min(Comparator.comparing(one -> one.getValue().idleSince))
                    .orElseThrow(() -> refused("the stream " + options.name() + " has subscribers with " + memories.size()
                            + " different selections or rights, which is the most that its options allow"));
            memories.remove(longest.getKey());
            longest.getValue().memory.close();
        }
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

    private synchronized void forget() {
        forgetting = false;
        long since = now() - options.retention().time().toMillis();
        memories.values().removeIf(one -> {
            boolean over = one.users == 0 && one.idleSince <= since;
            if (over) {
                one.memory.close();
            }
            return over;
        });
        if (memories.values().stream().anyMatch(one -> one.users == 0)) {
            forgetLater();
        }
    }

    private static long now() {
        return Schedulers.parallel().now(TimeUnit.MILLISECONDS);
    }

    /** The number of browsers that are connected. */
    public synchronized int subscribers() {
        return subscribers;
    }

    /** Completes all streams. */
    @Override
    public void close() {
        Map<Selection, Shared> all;
        synchronized (this) {
            closed = true;
            all = Map.copyOf(memories);
            memories.clear();
        }
        all.values().forEach(one -> one.memory.close());
    }
}
