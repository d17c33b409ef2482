package io.reactiveinformer.controller;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.internal.codec.HasCodec;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the status of objects, if it differs.
 *
 * <pre>{@code
 * StatusWriter<Website> status = StatusWriter.of(client, Website.TYPE, websites);
 * … status.write(request, website, now -> new Status(now.metadata().getGeneration(), "home"))
 * }</pre>
 *
 * <p>Only differences are sent, so fields of the status that the class of the objects does not have stay. They are sent for the version
 * that they were computed from: if the object has changed meanwhile, the status is computed again from what the server has. Values are
 * compared as the server stores them: {@code 3.0} is {@code 3}. A field that the server has not stored, as one that an older definition
 * lacks, is not sent again before the object has another version. A process that starts sends it once: nothing that the server stores says
 * that it was sent before. Thread-safe; one instance serves a controller.
 *
 * @param <T> the objects
 */
public final class StatusWriter<T> {

    private static final Logger LOG = LoggerFactory.getLogger(StatusWriter.class);

    private final ResourceClient<T> client;
    private final Informer<T> cache;
    private final ObjectCodec codec;
    private final Map<ObjectKey, String> reported = new ConcurrentHashMap<>(); // the class of the failure; only of keys that fail
    private final Map<ObjectKey, Written> written = new ConcurrentHashMap<>();

    /**
     * The last status that was written.
     *
     * @param status a digest of it, as it was to be
     * @param version the one that the server answered: the object in that version has this status, whatever the server makes of it
     */
    private record Written(String status, String version) {}

    private StatusWriter(ResourceClient<T> client, Informer<T> cache, ObjectCodec codec) {
        this.client = client;
        this.cache = cache;
        this.codec = codec;
    }

    /**
     * A writer for objects of {@code type}, which must have the subresource {@code status}.
     *
     * @param cache an informer of the objects
     */
    public static <T> StatusWriter<T> of(KubernetesClient client, ResourceType<T> type, Informer<T> cache) {
        return new StatusWriter<>(client.resources(type), cache, client instanceof HasCodec has ? has.codec() : ObjectCodec.create());
    }

    /**
     * Writes the status that {@code status} computes, and emits the object with it; emits {@code object} without a request if it has that
     * status. Lists, such as conditions, are replaced as a whole. Of several writers at the same time each computes its status again, a few
     * times, then fails with {@link io.reactiveinformer.resource.ConflictException}. Empty if the object is gone.
     *
     * @param object as it is cached
     * @param status called with the current state of the object; returns the complete status, of the class that the object has
     */
    public Mono<T> write(ReconcileRequest<?> request, T object, Function<? super T, ?> status) {
        return ObjectWrites.write(client, object, latest -> {
            JsonNode before = AppliedFields.tree(codec.write(latest)).path("status");
            JsonNode after = AppliedFields.tree(codec.write(status.apply(latest)));
            ObjectNode changes = changes(before, after, !(latest instanceof JsonNode));
            ObjectKey key = ObjectWrites.key(latest);
            String version = version(latest);
            String digest = AppliedFields.digest(after);
            if (changes.isEmpty() || new Written(digest, version).equals(written.get(key))) {
                return Mono.just(latest);
            }
            Map<String, Object> body = Map.of("metadata", Map.of("resourceVersion", version), "status", changes);
            return client.status().patch(key, Patch.merge(body)).doOnNext(answer -> {
                written.put(key, new Written(digest, version(answer)));
                ObjectWrites.forget(written, cache);
                request.wrote(cache).accept(answer);
            });
        }).doOnNext(has -> request.reports(cache, ObjectWrites.key(object)));
    }

    private static String version(Object object) {
        return String.valueOf(ObjectWrites.version(object));
    }

    /**
     * Does {@code work}, and writes the status that {@code status} computes if it fails: once, not at each retry. It is written again when
     * the work fails with an exception of another class, or has succeeded meanwhile. Work that writes the status with {@link #write} and
     * then returns {@link Result#givenUp} has reported itself: its status stays. The result is that of {@code work} in any case: if the
     * status cannot be written, that is logged, and tried at the next failure.
     *
     * @param work a failure is an error, or one of {@link Result#failed} and {@link Result#givenUp}
     * @param status called with the current state of the object and the failure
     */
    public Mono<Result> reporting(ReconcileRequest<?> request, T object, Mono<Result> work, BiFunction<? super T, Throwable, ?> status) {
        return Mono.defer(() -> {
            ObjectKey key = ObjectWrites.key(object);
            return work.onErrorResume(failure -> Mono.just(Result.failed(failure)))
                    .defaultIfEmpty(Result.done())
                    .flatMap(result -> {
                        Throwable failure = failure(result);
                        if (failure == null || result instanceof Result.GivenUp && request.hasReported(cache, key)) {
                            reported.remove(key);
                            return Mono.just(result);
                        }
                        return report(request, key, object, failure, status).thenReturn(result);
                    });
        });
    }

    private static @Nullable Throwable failure(Result result) {
        return result instanceof Result.Failed failed ? failed.cause() : result instanceof Result.GivenUp given ? given.cause() : null;
    }

    private Mono<Void> report(ReconcileRequest<?> request, ObjectKey key, T object, Throwable failure,
            BiFunction<? super T, Throwable, ?> status) {
        String kind = failure.getClass().getName();
        if (kind.equals(reported.get(key))) {
            return Mono.empty();
        }
        // the work may have written to the object, as a finalizer does
        T now = cache.lister().get(key).filter(cached -> ObjectWrites.isLater(cached, object)).orElse(object);
        return write(request, now, latest -> status.apply(latest, failure))
                .doOnNext(written -> reported.put(key, kind))
                .then()
                .onErrorResume(refused -> Mono.fromRunnable(() -> LOG.warn("{}: the failure could not be reported in the status: {}",
                        request, refused.toString())));
    }

    /**
     * As a merge patch: what differs, and null for what is not there any more.
     *
     * @param classes whether a class has read {@code before}: it may have read what is not there as an empty collection
     */
    private static ObjectNode changes(JsonNode before, JsonNode after, boolean classes) {
        ObjectNode changes = JsonNodeFactory.instance.objectNode();
        after.forEachEntry((name, value) -> {
            JsonNode known = before.get(name);
            if (known != null && known.isObject() && value.isObject()) {
                ObjectNode inner = changes(known, value, classes);
                if (!inner.isEmpty()) {
                    changes.set(name, inner);
                }
            } else if (!AppliedFields.isSame(value, known)) {
                changes.set(name, value);
            }
        });
        before.forEachEntry((name, value) -> {
            if (!after.has(name) && !(classes && value.isContainer() && value.isEmpty())) {
                changes.putNull(name);
            }
        });
        return changes;
    }
}
