package io.reactiveinformer.spring;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.view.Memory;
import io.reactiveinformer.view.View;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.scheduler.Schedulers;

/**
 * The memories of a {@link RowStream}: one for all browsers with the same selection, kept for the retention after the last one has left, and
 * up to twice that, unless another selection needs its place. Thread-safe.
 */
final class RowMemories {

    private final View<ObjectKey, StreamRow> rows;
    private final StreamOptions options;

    // Guarded by this.
    private final Map<Selection, Shared> memories = new HashMap<>();
    private boolean closed;
    private boolean forgetting;

    /** Which rows a browser receives. */
    record Selection(@Nullable String namespace, Selector labels, Predicate<? super ObjectKey> rights) {

        private boolean isAll() {
            return namespace == null && labels.labels().isEmpty() && rights == StreamRequest.ALL;
        }

        private boolean shows(StreamRow row) {
            return (namespace == null || namespace.equals(row.key().namespace())) && labels.matchesLabels(row.labels())
                    && rights.test(row.key());
        }
    }

    /** The memory of all browsers with one selection; made by its first one, without the lock of all. */
    static final class Shared {

        private final Supplier<Memory<ObjectKey, StreamRow>> create;
        private @Nullable Memory<ObjectKey, StreamRow> memory;
        private boolean closed;
        private int users;
        private long idleSince;

        private Shared(Supplier<Memory<ObjectKey, StreamRow>> create) {
            this.create = create;
        }

        synchronized Memory<ObjectKey, StreamRow> memory() {
            Memory<ObjectKey, StreamRow> present = memory == null ? create.get() : memory;
            memory = present;
            if (closed) {
                present.close();
            }
            return present;
        }

        private synchronized void close() {
            closed = true;
            if (memory != null) {
                memory.close();
            }
        }
    }

    RowMemories(View<ObjectKey, StreamRow> rows, StreamOptions options) {
        this.rows = rows;
        this.options = options;
    }

    /**
     * The memory of this selection, to be {@linkplain #release released}.
     *
     * @param again the same browser has another selection now, which is never refused: what it may not see any more has to go
     */
    Shared lease(Selection selection, boolean again) {
        Shared outdated = null;
        Shared shared;
        synchronized (this) {
            shared = memories.get(selection);
            if (shared == null) {
                outdated = makeRoom(again);
                shared = new Shared(() -> (selection.isAll() ? rows : rows.filter(selection::shows)).remembering(options.retention()));
                memories.put(selection, shared);
            }
            shared.users++;
        }
        if (outdated != null) {
            outdated.close();
        }
        return shared;
    }

    private @Nullable Shared makeRoom(boolean again) {
        if (closed) {
            throw refused(options, "is closed");
        }
        if (memories.size() < options.selections()) {
            return null;
        }
        long used = memories.values().stream().filter(one -> one.users > 0).count();
        if (used >= options.selections() && !again) {
            throw refused(options, "has subscribers with " + used
                    + " different selections or rights, which is the most that its options allow");
        }
        return memories.entrySet().stream().filter(one -> one.getValue().users == 0)
                .min(Comparator.comparing(one -> one.getValue().idleSince))
                .map(one -> memories.remove(one.getKey())).orElse(null);
    }

    static ResponseStatusException refused(StreamOptions options, String why) {
        return new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "the stream " + options.name() + ' ' + why + "; try again later");
    }

    synchronized void release(Shared shared) {
        shared.users--;
        shared.idleSince = now();
        forgetLater();
    }

    private void forgetLater() {
        if (!forgetting && !closed) {
            forgetting = true;
            Schedulers.parallel().schedule(this::forget, options.retention().time().toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void forget() {
        List<Shared> outdated;
        synchronized (this) {
            forgetting = false;
            long since = now() - options.retention().time().toMillis();
            outdated = memories.values().stream().filter(one -> one.users == 0 && one.idleSince <= since).toList();
            memories.values().removeAll(outdated);
            if (memories.values().stream().anyMatch(one -> one.users == 0)) {
                forgetLater();
            }
        }
        outdated.forEach(Shared::close);
    }

    private static long now() {
        return Schedulers.parallel().now(TimeUnit.MILLISECONDS);
    }

    void close() {
        List<Shared> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(memories.values());
            memories.clear();
        }
        all.forEach(Shared::close);
    }
}
