package io.reactiveinformer.client;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Scale;
import io.reactiveinformer.internal.Interruption;
import io.reactiveinformer.internal.ListWaits;
import io.reactiveinformer.internal.PageGuard;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Sends each call as an HTTP request. */
final class DefaultResourceClient<T> extends ObjectCalls<T> implements ResourceClient<T> {

    /** The page size of client-go's pager. */
    private static final int PAGE = 500;

    private static final Headers JSON_BODY = Accept.JSON.with("Content-Type", "application/json");

    private final ResourceType<T> type;

    DefaultResourceClient(RequestPipeline calls, ResourceType<T> type) {
        super(calls, type, "", type);
        this.type = type;
    }

    @Override
    public Mono<T> getUnchanged(T cached) {
        return Mono.defer(() -> {
            V1ObjectMeta seen = PartialObjectMetadata.of(cached).metadata();
            ObjectKey key = ObjectKey.of(seen.getNamespace(), Objects.requireNonNull(seen.getName(), "name"));
            Objects.requireNonNull(seen.getUid(), "uid");
            Objects.requireNonNull(seen.getResourceVersion(), "resourceVersion");
            return get(key).doOnNext(live -> requireUnchanged(key, seen, PartialObjectMetadata.of(live).metadata()));
        });
    }

    private void requireUnchanged(ObjectKey key, V1ObjectMeta seen, V1ObjectMeta live) {
        String difference = !Objects.equals(seen.getUid(), live.getUid())
                ? "it is another object of that name, with uid " + live.getUid() + " instead of " + seen.getUid()
                : !Objects.equals(seen.getResourceVersion(), live.getResourceVersion())
                ? "it has changed, from version " + seen.getResourceVersion() + " to " + live.getResourceVersion()
                : null;
        if (difference != null) {
            throw StatusException.of(Status.of(409, "Conflict", difference), "rely on " + type + " " + key);
        }
    }

    @Override
    public Flux<T> listAll(Namespaces part, ListOptions options) {
        ListOptions first = options.limit() == 0 ? options.withLimit(PAGE) : options;
        return Flux.fromIterable(partOf(options.key(), part).parts()).concatMap(single -> pages(single, first));
    }

    private Flux<T> pages(Namespaces part, ListOptions options) {
        return Flux.defer(() -> {
            var guard = new PageGuard();
            var next = new AtomicReference<@Nullable String>(options.continueToken());
            return Flux.defer(() -> {
                        String token = next.get();
                        Flux<ObjectEvent<T>> page = list(part, options.withContinue(token), Reading.unshared());
                        return token == null ? page : ListWaits.urgent(page); // a token expires
                    })
                    // a refused page has emitted nothing
                    .retryWhen(calls.requestRetry().retry(true, RequestPipeline.longestWait(type.toString())))
                    .onBackpressureBuffer() // one page at most; frees its place in the list limit
                    .<T>handle((event, sink) -> {
                        if (event instanceof ObjectEvent.Applied<T> item) {
                            guard.object(item.key());
                            sink.next(item.entry().object());
                        } else if (event instanceof ObjectEvent.Unreadable<T> unreadable) {
                            sink.error(unreadable.failure());
                        } else if (event instanceof ObjectEvent.PageEnd<T> end) {
                            String why = guard.turn(end.continueToken());
                            if (why != null) {
                                sink.error(new UnexpectedAnswerException("cannot " + attempt("list", part) + ": " + why));
                            }
                            next.set(end.continueToken());
                        }
                    })
                    .repeat(() -> next.get() != null);
        });
    }

    @Override
    public Flux<ObjectEvent<T>> list(Namespaces requested, ListOptions options, Reading<T> reading) {
        Namespaces part = partOf(options.key(), requested);
        Reading<T> wanted = of(options.selector().shards(), reading);
        return prepared(() -> {
            boolean protobuf = calls.inProtobuf(type);
            HttpRequest request = HttpRequest.get(Queries.list(ResourcePath.of(type, part), options).toString(),
                            Accept.list(type, protobuf))
                    .withSilence(options.timeout() == null ? null : options.timeout().plus(Interruption.MARGIN));
            return calls.lists().within(leave -> calls.call(request, attempt("list", part),
                    answer -> calls.codec().list(answer.body(), type, wanted),
                    !protobuf ? null : answer ->
                            calls.codec().listInProtobuf(answer.body(), type, wanted)));
        });
    }

    private static Namespaces partOf(@Nullable ObjectKey key, Namespaces part) {
        return key == null ? part : key.namespace() == null ? Namespaces.all() : Namespaces.of(key.namespace());
    }

    /** Shards are checked here, whether or not the server selects by them: of several API servers, one may support them, another not. */
    private static <T> Reading<T> of(Selector.@Nullable Shards shards, Reading<T> reading) {
        return shards == null ? reading : reading.only((key, uid) -> shards.matches(key.namespace(), uid));
    }

    /** Prepares the decoding on another thread before the request, if that takes long: it must not block an event loop. */
    private <R> Flux<R> prepared(Supplier<Flux<R>> request) {
        return Flux.defer(() -> calls.codec().prepare(type).thenMany(Flux.defer(request)));
    }

    @Override
    public Flux<ObjectEvent<T>> watch(Namespaces part, WatchOptions options, Reading<T> reading) {
        Reading<T> wanted = of(options.selector().shards(), reading);
        return prepared(() -> {
            boolean protobuf = calls.inProtobuf(type);
            HttpRequest request = HttpRequest.get(Queries.watch(ResourcePath.of(type, part), options).toString(),
                            Accept.watch(type, protobuf))
                    .withSilence(options.timeout().plus(Interruption.MARGIN));
            RequestDescription attempt = attempt("watch", part);
            Flux<ObjectEvent<T>> watch = calls.call(request, attempt,
                    answer -> calls.codec().watch(answer.body(), type, wanted, attempt.toString())
                            .startWith(new ObjectEvent.Opened<>()),
                    !protobuf ? null : answer -> calls.codec().watchInProtobuf(
                            answer.body(), type, wanted, attempt.toString())
                            .startWith(new ObjectEvent.Opened<>()));
            return options.initialEvents()
                    ? calls.lists().within(leave -> watch.doOnNext(event -> {
                        if (event instanceof ObjectEvent.Bookmark<T> bookmark && bookmark.initialEventsEnd()) {
                            leave.run(); // from here on it is a normal watch
                        }
                    }))
                    : watch;
        });
    }

    @Override
    public Mono<T> create(Namespaces part, T object, WriteOptions options) {
        return one(() -> {
            type.requireNamespace(part);
            return write("POST", ResourcePath.of(type, part), options, object);
        }, attempt("create", part));
    }

    @Override
    public Mono<Void> delete(ObjectKey key, DeleteOptions options) {
        return Mono.defer(() -> delete(
                ResourcePath.of(type, key), options, new RequestDescription("delete", type.toString(), key.toString())));
    }

    @Override
    public Mono<Void> deleteAll(Namespaces part, ListOptions which, DeleteOptions options) {
        if (which.selector().shards() != null) {
            throw new IllegalArgumentException("deleteAll cannot select shards: a server that does not know them would delete all objects; "
                    + "list, and delete one by one");
        }
        if (which.key() != null) {
            throw new IllegalArgumentException("deleteAll deletes several objects: delete " + which.key() + " by its key");
        }
        type.requireNamespace(part);
        return Flux.fromIterable(part.parts())
                .concatMap(single ->
                        delete(Queries.list(ResourcePath.of(type, single), which), options, attempt("deletecollection", single)))
                .then();
    }

    private Mono<Void> delete(ResourcePath path, DeleteOptions options, RequestDescription attempt) {
        Map<String, Object> body = options.body();
        path.with("dryRun", options.dryRun() ? "All" : null);
        HttpRequest request = body == null
                ? new HttpRequest("DELETE", path.toString(), Accept.JSON, null)
                : new HttpRequest("DELETE", path.toString(), JSON_BODY, calls.codec().write(body));
        return calls.callAgain(request, attempt, answer -> calls.codec().ignore(answer.body())).then();
    }

    @Override
    public Subresource<T> status() {
        return new ObjectCalls<>(calls, type, "status", type);
    }

    @Override
    public Subresource<V1Scale> scale() {
        return subresource("scale", ResourceType.of("autoscaling", "v1", "scales", type.scope(), V1Scale.class));
    }

    @Override
    public <S> Subresource<S> subresource(String name, ResourceType<S> content) {
        return new ObjectCalls<>(calls, type, name, content);
    }

    private RequestDescription attempt(String verb, Namespaces part) {
        return new RequestDescription(verb, type.toString(), type.in(part).substring(type.toString().length()).strip());
    }
}
