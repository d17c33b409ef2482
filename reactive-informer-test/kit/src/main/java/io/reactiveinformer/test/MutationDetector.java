package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;

/**
 * Finds code that changes an object of the cache, which all readers share and none may change; the counterpart of client-go's cache
 * mutation detector. It keeps a copy of each object's state from when it was cached, and compares:
 *
 * <pre>{@code
 * try (var detector = MutationDetector.of(pods)) {   // before anyone else subscribes
 *     …
 * }                                                  // fails if an object was changed, and says which and where
 * }</pre>
 *
 * <p>It receives an object before every subscriber that subscribed later than it. A reader of the cache, or a new subscriber, may be faster
 * than it in the instant in which the cache changes; a mutation made in that instant goes unnoticed.
 *
 * <p>Slow, and keeps each object twice: for tests. It compares what the codec writes of an object, so not transient fields. Any thread may
 * use it.
 *
 * @param <T> the class of the objects
 */
public final class MutationDetector<T> implements AutoCloseable {

    private static final ObjectCodec CODEC = ObjectCodec.create();

    private final String description;
    private final Map<ObjectKey, Original<T>> originals = new HashMap<>(); // guarded by itself
    private final List<String> found = new CopyOnWriteArrayList<>();
    private final Disposable subscription;
    private volatile @Nullable Throwable stoppedBy;

    private record Original<T>(T object, String written) {}

    private MutationDetector(Informer<T> informer) {
        this.description = informer.description();
        // On the thread that writes the cache, so that no other subscriber can have received the object before.
        this.subscription = informer.changes(Delivery.partial().and(Delivery.on(Schedulers.immediate())))
                .subscribe(this::learn, failure -> stoppedBy = failure);
    }

    /** Watches the cache of {@code informer} from now on. Mutations by earlier subscribers may go unnoticed. */
    public static <T> MutationDetector<T> of(Informer<T> informer) {
        return new MutationDetector<>(informer);
    }

    private void learn(Change<ObjectKey, T> change) {
        change.accept(
                added -> replace(added.key(), added.object()),
                updated -> replace(updated.key(), updated.after()),
                deleted -> replace(deleted.key(), null),
                synced -> {});
    }

    private void replace(ObjectKey key, @Nullable T object) {
        synchronized (originals) {
            Original<T> before = object == null ? originals.remove(key) : originals.put(key, new Original<>(object, written(object)));
            if (before != null) {
                compare(key, before);
            }
        }
    }

    private void compare(ObjectKey key, Original<T> original) {
        String now = written(original.object());
        if (!original.written().equals(now)) {
            found.add(key + difference("", Json.read(original.written()), Json.read(now)));
        }
    }

    private static String written(Object object) {
        return new String(CODEC.write(object), StandardCharsets.UTF_8);
    }

    private static String difference(String path, JsonNode before, JsonNode now) {
        if (before.isObject() && now.isObject()) {
            for (String name : before.propertyNames()) {
                if (!before.path(name).equals(now.path(name))) {
                    return difference(path + "." + name, before.path(name), now.path(name));
                }
            }
            for (String name : now.propertyNames()) {
                if (!before.has(name)) {
                    return difference(path + "." + name, before.path(name), now.path(name));
                }
            }
        }
        return ": " + path + " was " + (before.isMissingNode() ? "absent" : before) + ", is " + (now.isMissingNode() ? "absent" : now);
    }

    /**
     * Compares all objects of the cache with their remembered states. Objects that left the cache were compared when they left. A mutation,
     * once found, fails every later call too.
     *
     * @throws AssertionError if an object that is or was in the cache has been changed there; it names each and the first difference. Also
     *     if the informer has given up, and this with it
     */
    public void verify() {
        synchronized (originals) {
            Map<ObjectKey, Original<T>> present = Map.copyOf(originals);
            originals.clear();
            present.forEach((key, original) -> {
                compare(key, original);
                originals.put(key, new Original<>(original.object(), written(original.object())));
            });
        }
        if (stoppedBy != null) {
            throw new AssertionError("changes to objects of " + description + " are unknown after this failure of the informer", stoppedBy);
        }
        if (!found.isEmpty()) {
            throw new AssertionError("objects of " + description
                    + " were changed in the cache, which is shared by all its readers; copy before you"
                    + " change:\n  " + String.join("\n  ", found));
        }
    }

    /** Stops watching the cache, and verifies as {@link #verify} does. */
    @Override
    public void close() {
        subscription.dispose();
        verify();
    }
}
