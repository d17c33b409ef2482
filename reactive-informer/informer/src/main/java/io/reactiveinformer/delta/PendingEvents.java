package io.reactiveinformer.delta;

import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The events that a stage has received and not delivered: listings in progress, which are not visible yet, and the queue. Keeps at most one
 * state and one note of an unreadable state a key, and one replacement and one bookmark a part. Parts take turns. Not thread-safe.
 */
final class PendingEvents<T> {

    private final Map<Namespaces, PartBacklog<T>> parts = new HashMap<>();
    private final Set<PartBacklog<T>> line = new LinkedHashSet<>();
    private @Nullable PartBacklog<T> polled;

    /** Adds {@code event}. Returns the entry that it replaces; its own entry if it is old; else null. */
    @Nullable ReflectorEvent<T> file(ReflectorEvent<T> event) {
        PartBacklog<T> part = parts.computeIfAbsent(event.part(), PartBacklog::new);
        ReflectorEvent<T> replaced = part.file(event);
        if (!part.isEmpty()) {
            line.add(part);
        }
        return replaced;
    }

    /** Removes and returns the next entry; null if none waits. */
    @Nullable ReflectorEvent<T> poll() {
        Iterator<PartBacklog<T>> first = line.iterator();
        if (!first.hasNext()) {
            return null;
        }
        PartBacklog<T> part = first.next();
        first.remove();
        polled = part;
        ReflectorEvent<T> next = part.poll();
        if (!part.isEmpty()) {
            line.add(part);
        }
        return next;
    }

    /** Removes and returns the objects of the listing whose end was polled last. */
    Map<ObjectKey, ObjectEvent<T>> takeListing() {
        return polled == null ? Map.of() : polled.takeListing();
    }

    /** The version up to which nothing of its part is missing once the entry that was polled last is delivered; null if not known. */
    @Nullable String completeTo() {
        return polled == null ? null : polled.completeTo();
    }

    boolean isEmpty() {
        return line.isEmpty();
    }

    int size() {
        return line.stream().mapToInt(PartBacklog::size).sum();
    }
}
