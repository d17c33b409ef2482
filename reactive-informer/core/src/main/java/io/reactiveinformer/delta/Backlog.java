package io.reactiveinformer.delta;

import io.reactiveinformer.resource.Scope;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a stage has heard and not delivered: listings under way, out of sight, and what waits in line. Holds at most one state and one note
 * of an unreadable state a key, and one replacement and one bookmark a scope. Scopes take turns. Not thread-safe.
 */
final class Backlog<T> {

    private final Map<Scope, ScopeBacklog<T>> scopes = new HashMap<>();
    private final Set<ScopeBacklog<T>> line = new LinkedHashSet<>();

    /** Takes note of {@code event}. Returns what it takes the place of, if anything; itself where it is old. */
    @Nullable News<T> file(ReflectorEvent<T> event) {
        ScopeBacklog<T> scope = scopes.computeIfAbsent(event.scope(), ScopeBacklog::new);
        News<T> replaced = scope.file(event);
        if (!scope.isEmpty()) {
            line.add(scope);
        }
        return replaced;
    }

    /** The next in line, which is then no longer held; null if nothing waits. */
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
