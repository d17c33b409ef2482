package io.reactiveinformer.controller;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceVersion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
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
    private final Map<Object, Awaited> awaited = new LinkedHashMap<>(); // guarded by itself

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
     * for missing. Of several versions of one object the newest is waited for. If the cache fails or is stopped, or does not see it within
     * {@link ControllerBuilder#holdLimit}, that is logged and no longer waited for. Counts until the work has ended.
     */
    public void wrote(Informer<?> cache, ObjectKey object, String resourceVersion) {
        var awaited = new Awaited(cache.description() + " " + object + " in resourceVersion " + resourceVersion, resourceVersion, cache.atLeast(object, resourceVersion));
        synchronized (this.awaited) {
            this.awaited.merge(List.of(cache, object), awaited, (known, later) -> ResourceVersion.isAtMost(later.version, known.version) ? known : later);
        }
    }

    /** As {@link #wrote(Informer, ObjectKey, String)}, of what the server answered: {@code client.create(part, pod).doOnNext(request.wrote(pods))}. */
    public <T> Consumer<T> wrote(Informer<?> cache) {
        return object -> {
            Metadata metadata = Metadata.of(object);
            wrote(cache, Objects.requireNonNull(metadata.key(), "name"), Objects.requireNonNull(metadata.resourceVersion(), "resourceVersion"));
        };
    }

    /** As {@link #holdUntil(String, Mono)}, of what has no name. */
    public void holdUntil(Mono<?> visible) {
        holdUntil("what it holds for", visible);
    }

    /**
     * The key is not looked at again until {@code visible} completes, such as {@code pods.awaitAbsent(deleted)}. One that fails, or takes longer than
     * {@link ControllerBuilder#holdLimit}, is logged and no longer waited for. Counts until the work has ended.
     *
     * @param what is waited for, in logs and in {@link Controller#held}: {@code prod/web-1 to be gone}
     */
    public void holdUntil(String what, Mono<?> visible) {
        synchronized (awaited) {
            awaited.put(new Object(), new Awaited(what, null, visible));
        }
    }

    /** Something that was written, and when it is seen. */
    record Awaited(String what, @Nullable String version, Mono<?> seen) {}

    List<Awaited> awaited() {
        synchronized (awaited) {
            return List.copyOf(awaited.values());
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
