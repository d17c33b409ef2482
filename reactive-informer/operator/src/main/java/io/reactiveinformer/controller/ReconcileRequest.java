package io.reactiveinformer.controller;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One call of the reconciler for one key. The {@linkplain reactor.util.context.Context context} of the reconciler's {@code Mono} has the
 * request under its class, and the texts {@link #CONTROLLER}, {@link #KEY} and {@link #ID}; so has the logging MDC while the reconciler is
 * called and subscribed to.
 *
 * @param <K> the keys that the controller works on
 */
public final class ReconcileRequest<K> {

    /** Context and MDC key of the controller's name. */
    public static final String CONTROLLER = "controller";

    /** Context and MDC key of the request's key, as text. */
    public static final String KEY = "reconcileKey";

    /** Context and MDC key of {@link #id}. */
    public static final String ID = "reconcileId";

    private final String controller;
    private final K key;
    private final String id;
    private final int retries;
    private final Causes.Merged causes;
    private final Object term;
    private final Map<Object, Awaited> awaited = new LinkedHashMap<>(); // guarded by itself
    private final Set<Object> reported = ConcurrentHashMap.newKeySet();

    /** A first request without causes, for a test that calls a reconciler itself. */
    public static <K> ReconcileRequest<K> of(String controller, K key) {
        return new ReconcileRequest<>(controller, key, "1", 0, Causes.Merged.NONE, ReconcileRequest.class);
    }

    /** @param term as of {@link #term} */
    ReconcileRequest(String controller, K key, String id, int retries, Causes.Merged causes, Object term) {
        this.controller = controller;
        this.key = key;
        this.id = id;
        this.retries = retries;
        this.causes = causes;
        this.term = term;
    }

    /** The name of the controller. */
    public String controller() {
        return controller;
    }

    /** The key to work on. */
    public K key() {
        return key;
    }

    /** Identifies this request within the process. */
    public String id() {
        return id;
    }

    /** The number of failures of the key in a row before this request. */
    public int retries() {
        return retries;
    }

    /**
     * What has happened since the last request for this key, without duplicates; at most the first {@value Causes#KEPT}. For logs: decide
     * what to do by the current state only.
     */
    public Set<Cause> causes() {
        return causes.kept();
    }

    /** The number of causes that are not in {@link #causes}. */
    public int moreCauses() {
        return causes.more();
    }

    /**
     * Delays the next request for this key until {@code cache} has received {@code object} in {@code resourceVersion} or later, so that the
     * next request does not write again what is only missing in the cache. Of several versions of one object only the newest counts. If the
     * cache fails, is stopped, or does not receive it within {@link ControllerBuilder#holdLimit}, that is logged and the wait ends. No
     * effect after the work has ended. Thread-safe.
     *
     * @param cache an informer whose objects include {@code object}
     * @param object the key of the written object
     * @param resourceVersion the version with which the server answered the write
     */
    public void wrote(Informer<?> cache, ObjectKey object, String resourceVersion) {
        wrote(new Written(cache, object, resourceVersion, null));
    }

    private void wrote(Written written) {
        var awaited = new Awaited(written.what() + " in resourceVersion " + written.version, written,
                written.cache.atLeast(written.object, written.version));
        synchronized (this.awaited) {
            this.awaited.merge(written.id(), awaited, (known, later) -> known.written != null
                    && ResourceVersion.isAtMost(written.version, known.written.version) ? known : later);
        }
    }

    /**
     * As {@link #wrote(Informer, ObjectKey, String)}, for the object in the answer of the server:
     * {@code client.create(part, pod).doOnNext(request.wrote(pods))}. The consumer throws {@link NullPointerException} if the object has no
     * name or no resource version, and {@link IllegalArgumentException} as {@link PartialObjectMetadata#of} does.
     */
    public <T> Consumer<T> wrote(Informer<?> cache) {
        return object -> wrote(new Written(cache, ObjectWrites.key(object),
                Objects.requireNonNull(ObjectWrites.metadata(object).getResourceVersion(), "resourceVersion"), object));
    }

    /** As {@link #holdUntil(String, Mono)}, with a general description. */
    public void holdUntil(Mono<?> visible) {
        holdUntil("an unnamed condition", visible);
    }

    /**
     * Delays the next request for this key until {@code visible} completes, such as {@code pods.awaitAbsent(deleted)}. If it fails or takes
     * longer than {@link ControllerBuilder#holdLimit}, that is logged and the wait ends. {@code visible} is subscribed to when the work has
     * ended; a call after that has no effect.
     *
     * @param what the description in logs and in {@link Controller#held}: {@code prod/web-1 to be gone}
     * @param visible the end of the wait; its value does not matter
     */
    public void holdUntil(String what, Mono<?> visible) {
        synchronized (awaited) {
            awaited.put(new Object(), new Awaited(what, null, visible));
        }
    }

    /** Something to wait for; {@code seen} completes when the wait is over. */
    record Awaited(String what, @Nullable Written written, Mono<?> seen) {}

    /**
     * A write.
     *
     * @param cache an informer whose objects include the object
     * @param answer the object as the server has stored it; null if that is not known
     */
    record Written(Informer<?> cache, ObjectKey object, String version, @Nullable Object answer) {

        Written withoutAnswer() {
            return answer == null ? this : new Written(cache, object, version, null);
        }

        Object id() {
            return List.of(cache, object);
        }

        @Nullable Object cached() {
            return cache.lister().get(object).orElse(null);
        }

        String what() {
            return cache.description() + " " + object;
        }

        /** Whether {@code cause} is a change of the object. */
        boolean isRow(Cause cause) {
            return cause.view().equals(cache.description()) && cause.row().equals(object.toString());
        }
    }

    /** What was written, the last version of each object. */
    List<Written> written() {
        synchronized (awaited) {
            return awaited.values().stream().map(Awaited::written).flatMap(Stream::ofNullable).toList();
        }
    }

    List<Awaited> awaited() {
        synchronized (awaited) {
            return List.copyOf(awaited.values());
        }
    }

    /** The work has written the status of this object of {@code cache} itself, or found it written. */
    void reports(Informer<?> cache, ObjectKey object) {
        reported.add(List.of(cache, object));
    }

    boolean hasReported(Informer<?> cache, ObjectKey object) {
        return reported.contains(List.of(cache, object));
    }

    /**
     * The same for all requests of one {@link Controller#run} until the controller becomes responsible for more keys: before it, another
     * replica or member may have worked on the key.
     */
    Object term() {
        return term;
    }

    Causes.Merged merged() {
        return causes;
    }

    /** {@code replicasets prod/web (1f4-17)}. */
    @Override
    public String toString() {
        return controller + " " + key + " (" + id + ")";
    }

    /**
     * Why a key is reconciled.
     *
     * @param kind what happened
     * @param view the name of the view that changed, see {@link ControllerBuilder#watches}; the name of the controller for
     *     {@link Kind#REQUESTED} and {@link Kind#AGAIN}
     * @param row the key of the row in that view, as text; for {@link Kind#REQUESTED} and {@link Kind#AGAIN} the key of the request itself
     */
    public record Cause(Kind kind, String view, String row) {

        /** What happened. */
        public enum Kind {
            /** The row appeared in the view. */
            ADDED,
            /** The row changed. */
            UPDATED,
            /** The row disappeared from the view. */
            DELETED,
            /** No change: the row is part of the initial state, or was emitted again by a resync. */
            PRESENT,
            /** The key was added by a caller: {@link Controller#add}. */
            REQUESTED,
            /** An earlier request for the key failed, had the result {@code again}, or was cancelled. */
            AGAIN
        }

        /** {@code UPDATED pods.v1 prod/web-1}. */
        @Override
        public String toString() {
            return kind + " " + view + " " + row;
        }
    }
}
