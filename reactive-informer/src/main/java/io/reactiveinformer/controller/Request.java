package io.reactiveinformer.controller;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import reactor.core.publisher.Mono;

/**
 * One look at one key. Also in the {@linkplain reactor.util.context.Context context} of the reconciler's {@code Mono}, by its class; and there, as in the
 * logging MDC while the reconciler is called and subscribed to, are {@link #CONTROLLER}, {@link #KEY} and {@link #ID}.
 */
public final class Request<K> {

    /** The controller's name. */
    public static final String CONTROLLER = "controller";

    /** The key, as text. */
    public static final String KEY = "reconcileKey";

    /** {@link #id}. */
    public static final String ID = "reconcileId";

    private final String controller;
    private final K key;
    private final String id;
    private final int retries;
    private final Causes.Merged causes;
    private final Map<Object, Mono<?>> visible = new LinkedHashMap<>(); // guarded by itself

    Request(String controller, K key, String id, int retries, Causes.Merged causes) {
        this.controller = controller;
        this.key = key;
        this.id = id;
        this.retries = retries;
        this.causes = causes;
    }

    public String controller() {
        return controller;
    }

    public K key() {
        return key;
    }

    /** Tells this request from all others of the process. */
    public String id() {
        return id;
    }

    /** How often in a row the key has failed before. */
    public int retries() {
        return retries;
    }

    /** What has happened since the last look, everything merged; of more than {@value Causes#KEPT} the first. For logs: what to do depends on what is there now. */
    public Set<Cause> causes() {
        return causes.kept();
    }

    /** How many causes there were beside {@link #causes}. */
    public int moreCauses() {
        return causes.more();
    }

    /**
     * The key is not looked at again until {@code cache} has seen {@code object} in {@code resourceVersion}, or later: so what was just written is not taken
     * for missing. If the cache fails or is stopped, that is logged and nothing is waited for.
     */
    public void wrote(Informer<?> cache, ObjectKey object, String resourceVersion) {
        holdUntil(List.of(cache, object), cache.atLeast(object, resourceVersion));
    }

    /** As {@link #wrote(Informer, ObjectKey, String)}, of what the server answered: {@code client.create(part, pod).doOnNext(request.wrote(pods))}. */
    public <T> Consumer<T> wrote(Informer<?> cache) {
        return object -> {
            Metadata metadata = Metadata.of(object);
            wrote(cache, Objects.requireNonNull(metadata.key(), "name"), Objects.requireNonNull(metadata.resourceVersion(), "resourceVersion"));
        };
    }

    /** The key is not looked at again until {@code visible} completes, such as {@code pods.awaitAbsent(deleted)}. One that fails is logged and not waited for. */
    public void holdUntil(Mono<?> visible) {
        holdUntil(new Object(), visible);
    }

    private void holdUntil(Object what, Mono<?> seen) {
        synchronized (visible) {
            visible.put(what, seen);
        }
    }

    List<Mono<?>> visible() {
        synchronized (visible) {
            return List.copyOf(visible.values());
        }
    }

    Causes.Merged merged() {
        return causes;
    }

    /** {@code replicasets prod/web (1f4-17)}. */
    @Override
    public String toString() {
        return controller + " " + key + " (" + id + ")";
    }
}
