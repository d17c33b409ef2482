package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;

/** The rows as one subscriber with {@link Audited} received them. Signals are serialized. */
final class AuditedRows<K, T> {

    private static final Logger LOG = LoggerFactory.getLogger(Audited.class);
    /** After so long without a gap, it is quick enough again. */
    private static final long CALM = TimeUnit.MINUTES.toMillis(1);
    private static final long REMINDER = TimeUnit.MINUTES.toMillis(5);

    /** As the count of a Synced: the rows after a gap were told. */
    static final long ROWS_END = Long.MIN_VALUE;

    private Map<K, Versioned<T>> rows = new HashMap<>();
    private boolean synced;
    /** While the rows are received again, after a gap. */
    private @Nullable Map<K, Versioned<T>> again;
    private @Nullable Instant since;
    private long missing;
    private long told;
    private final AtomicLong missed = new AtomicLong();
    private final Scheduler clock;
    private final String name;
    private long lastGap;
    private long lastLine;
    private boolean isOut; // and a line has said so

    AuditedRows(Delivery delivery) {
        clock = delivery.scheduler();
        name = delivery.name().isEmpty() ? "a subscriber with Delivery.every(…)" : delivery.name();
    }

    /** In all gaps together. */
    AtomicLong missed() {
        return missed;
    }

    @Nullable Audited<K, T> next(Change<K, T> change) {
        if (change instanceof Change.Synced<K, T> mark && mark.count() < 0) {
            return marked(mark);
        }
        Map<K, Versioned<T>> target = again == null ? rows : again;
        change.accept(added -> target.put(added.key(), added.entry()), updated -> target.put(updated.key(), updated.entryAfter()),
                deleted -> target.remove(deleted.key()), complete -> synced = true);
        if (again != null) {
            return null;
        }
        if (isOut && now() - lastGap > CALM) {
            isOut = false;
            LOG.info("{}: receives each state again, and has missed {}", name, told);
        }
        return new Audited.State<>(change);
    }

    /** By {@link EveryBacklog}: all rows follow, or have followed. */
    private @Nullable Audited<K, T> marked(Change.Synced<K, T> mark) {
        if (mark.count() == ROWS_END) {
            return again == null ? null : gap(again);
        }
        since = since == null ? Instant.parse(String.valueOf(mark.resourceVersion())) : since;
        missing = -mark.count() - told;
        again = new HashMap<>();
        return null;
    }

    private Audited.Gap<K, T> gap(Map<K, Versioned<T>> present) {
        List<Change<K, T>> differences = new ArrayList<>();
        rows.forEach((key, before) -> {
            Versioned<T> after = present.get(key);
            if (after == null || before.recreatedAs(after)) {
                differences.add(new Change.Deleted<>(key, before, DeletionCause.INFERRED, null));
            } else if (!before.equals(after)) {
                differences.add(new Change.Updated<>(key, before, after));
            }
        });
        present.forEach((key, after) -> {
            Versioned<T> before = rows.get(key);
            if (before == null || before.recreatedAs(after)) {
                differences.add(new Change.Added<>(key, after, !synced));
            }
        });
        var gap = new Audited.Gap<>(missing, since == null ? Instant.EPOCH : since, List.copyOf(differences));
        rows = present;
        again = null;
        since = null;
        told += missing;
        lastGap = now();
        if (!isOut || lastGap - lastLine >= REMINDER) {
            isOut = true;
            lastLine = lastGap;
            LOG.warn("{}: {} states are missing since {}, as more changes waited than its delivery allows, and {} in all; going on with the"
                    + " present state of {} rows", name, missing, gap.since(), told, differences.size());
        }
        return gap;
    }

    private long now() {
        return clock.now(TimeUnit.MILLISECONDS);
    }
}
