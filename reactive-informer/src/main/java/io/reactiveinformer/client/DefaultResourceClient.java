package io.reactiveinformer.client;

import io.reactiveinformer.delta.Known;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.resource.WatchEvent;
import io.reactiveinformer.transport.Headers;
import io.reactiveinformer.transport.HttpAnswer;
import io.reactiveinformer.transport.HttpRequest;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Puts each call into HTTP. */
final class DefaultResourceClient<T> implements ResourceClient<T> {

    /** As client-go's pager. */
    private static final int PAGE = 500;
    /** How much longer than the server's own timeout a watch may be silent. */
    private static final Duration MARGIN = Duration.ofSeconds(30);

    private final Calls calls;
    private final ResourceType<T> type;

    DefaultResourceClient(Calls calls, ResourceType<T> type) {
        this.calls = calls;
        this.type = type;
    }

    @Override
    public Mono<T> get(ObjectKey key) {
        return one(() -> HttpRequest.get(ResourcePath.of(type, key).toString(), Accept.object(type)), "get", key);
    }

    @Override
    public Flux<T> listAll(Scope part, ListOptions options) {
        ListOptions first = options.limit() == 0 ? options.withLimit(PAGE) : options;
        return Flux.fromIterable(part.parts()).concatMap(single -> pages(single, first));
    }

    private Flux<T> pages(Scope part, ListOptions options) {
        return Flux.defer(() -> {
            var next = new AtomicReference<@Nullable String>(options.continueToken());
            return Flux.defer(() -> list(part, options.withContinue(next.get()), Known.none()))
                    .<T>handle((event, sink) -> {
                        if (event instanceof ListEvent.Item<T> item) {
                            sink.next(item.entry().object());
                        } else if (event instanceof ListEvent.Unreadable<T> unreadable) {
                            sink.error(unreadable.failure());
                        } else if (event instanceof ListEvent.End<T> end) {
                            next.set(end.continueToken());
                        }
                    })
                    .repeat(() -> next.get() != null);
        });
    }

    @Override
    public Flux<ListEvent<T>> list(Scope part, ListOptions options, Known<T> known) {
        return Flux.defer(() -> {
            HttpRequest request = HttpRequest.get(Queries.list(ResourcePath.of(type, part), options).toString(), Accept.list(type));
            return call(request, attempted("list", part), answer -> calls.codec().list(answer.body(), type, known::find));
        });
    }

    @Override
    public Flux<WatchEvent<T>> watch(Scope part, WatchOptions options, Known<T> known) {
        return Flux.defer(() -> {
            HttpRequest request = HttpRequest.get(Queries.watch(ResourcePath.of(type, part), options).toString(), Accept.object(type))
                    .withSilence(options.timeout().plus(MARGIN));
            String attempted = attempted("watch", part);
            return call(request, attempted, answer ->
                    calls.codec().watch(answer.body(), type, known::find, attempted).startWith(new WatchEvent.Opened<>()));
        });
    }

    @Override
    public Mono<T> create(Scope part, T object) {
        return Mono.defer(() -> {
            HttpRequest request = write("POST", ResourcePath.of(type, part), object);
            return call(request, attempted("create", part), answer -> calls.codec().object(answer.body(), type)).single().map(Versioned::object);
        });
    }

    @Override
    public Mono<T> update(ObjectKey key, T object) {
        return one(() -> write("PUT", ResourcePath.of(type, key), object), "update", key);
    }

    @Override
    public Mono<Void> delete(ObjectKey key) {
        return Flux.defer(() -> {
                    HttpRequest request = new HttpRequest("DELETE", ResourcePath.of(type, key).toString(), Accept.JSON, null);
                    return calls.call(request, attempted("delete", key), answer -> answer.body().then());
                })
                .then();
    }

    private Mono<T> one(Supplier<HttpRequest> request, String verb, ObjectKey key) {
        return Mono.defer(() ->
                call(request.get(), attempted(verb, key), answer -> calls.codec().object(answer.body(), type)).single().map(Versioned::object));
    }

    /** The classes that reading needs are loaded first, elsewhere: an event loop has other things to do than to wait for them. */
    private <R> Flux<R> call(HttpRequest request, String attempted, Function<HttpAnswer, ? extends Publisher<R>> reader) {
        return calls.codec().prepare(type).thenMany(calls.call(request, attempted, reader));
    }

    private HttpRequest write(String method, ResourcePath path, T object) {
        Headers headers = Accept.object(type).with("Content-Type", "application/json");
        return new HttpRequest(method, path.toString(), headers, calls.codec().write(object));
    }

    private String attempted(String verb, Scope part) {
        return verb + " " + type + " in " + part;
    }

    private String attempted(String verb, ObjectKey key) {
        return verb + " " + type + " " + key;
    }
}
