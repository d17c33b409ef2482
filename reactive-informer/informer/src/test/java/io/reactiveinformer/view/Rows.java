package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Table;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/** Rows named by text, with a hub that is notified of each edit. */
final class Rows {

    final Table<String, String> table = Table.create();
    final ChangeHub<String, String> hub;

    private Rows(boolean complete, Function<Snapshot<String, String>, ChangeHub<String, String>> hubs) {
        if (complete) {
            table.commit(true);
        }
        hub = hubs.apply(table.snapshot());
    }

    static Rows complete() {
        return new Rows(true, ChangeHub::of);
    }

    static Rows incomplete() {
        return new Rows(false, ChangeHub::of);
    }

    /** With a hub that notifies all followers by a relay on {@code scheduler}. */
    static Rows relayed(boolean complete, Scheduler scheduler) {
        return relayed(complete, 0, scheduler);
    }

    /** With a hub that notifies all but a few followers by a relay on {@code scheduler}. */
    static Rows relayed(boolean complete, int few, Scheduler scheduler) {
        return new Rows(complete, rows -> ChangeHub.of(rows, few, () -> scheduler));
    }

    Snapshot<String, String> snapshot() {
        return table.snapshot();
    }

    static Versioned<String> state(@Nullable String uid, int version) {
        return new Versioned<>(uid, "" + version, uid + "@" + version);
    }

    Rows put(String key, @Nullable String uid, int version) {
        edit(key, uid, version);
        return commit();
    }

    Rows remove(String key, int version) {
        table.remove(key, DeletionCause.OBSERVED, "" + version);
        return commit();
    }

    /** Without a notification yet. */
    Rows edit(String key, @Nullable String uid, int version) {
        table.put(key, state(uid, version), DeletionCause.OBSERVED);
        return this;
    }

    Rows commit() {
        publish(table.commit(true));
        return this;
    }

    Commit<String, String> publish(Commit<String, String> commit) {
        hub.publish(commit);
        return commit;
    }
}
