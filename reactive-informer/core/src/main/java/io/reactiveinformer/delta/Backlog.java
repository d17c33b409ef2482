package io.reactiveinformer.delta;

import io.reactiveinformer.resource.Scope;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The events that a stage has received and not delivered: listings in progress, which are not visible yet, and the queue. Keeps at most one
 * state and one note of an unreadable state a key, and one replacement and one bookmark a scope. Scopes take turns. Not thread-safe.
 */
final class Backlog<T> {

    private final Map<Scope, ScopeBacklog<T>> scopes = new HashMap<>();
    private final Set<ScopeBacklog<T>> line = new LinkedHashSet<>();

    /** Adds {@code event}. Returns the entry that it replaces; its own entry if it is old; else null. */
    @Nullable News<T> file(ReflectorEvent<T> event) {
        ScopeBacklog<T> scope = scopes.computeIfAbsent(event.scope(), ScopeBacklog::new);
        News<T> replaced = scope.file(event);
        if (!scope.isEmpty()) {
            line.add(scope);
        }
        return replaced;
    }

    /** Removes and returns the next entry; null if none waits. */
    @Nullable Due<T> poll() {
        Iterator<ScopeBacklog<T>> first = line.iterator();
        if (!first.hasNext()) {
            return null;
        }
        ScopeBacklog<T> scope = first.next();
        first.remove();
        Due<T> due = scope.poll();
        if (!scope.isEmpty()) {
            line.add(scope);
        }
        return due;
    }

    boolean isEmpty() {
        return line.isEmpty();
    }

    int size() {
        return line.stream().mapToInt(ScopeBacklog::size).sum();
    }
}
