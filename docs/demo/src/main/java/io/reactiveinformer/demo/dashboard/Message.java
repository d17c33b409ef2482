package io.reactiveinformer.demo.dashboard;

import io.reactiveinformer.resource.InformerStatus.State;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.Change;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message to a browser, sent as JSON under the name of its {@link #event}. */
sealed interface Message {

    /** The name of the server-sent event. */
    String event();

    /** Whether this is a change, not a part of the initial state. */
    default boolean news() {
        return true;
    }

    static Message of(String table, Change<ObjectKey, Row> change) {
        return change.match(
                added -> new Shown(table, added.key().toString(), added.object(), added.initial()),
                updated -> new Shown(table, updated.key().toString(), updated.after(), false),
                deleted -> new Gone(table, deleted.key().toString(), deleted.cause().name()),
                synced -> new Synced(table, synced.count()));
    }

    /**
     * The first message, also after each reconnect: the browser forgets all rows.
     *
     * @param browser the browser's own name in {@link Pulse#browsers}
     * @param cluster the cluster in words
     * @param faults the faults that the page can cause; none for a real cluster
     */
    record Hello(String browser, String cluster, List<Heading> tables, List<String> faults) implements Message {
        @Override
        public String event() {
            return "hello";
        }
    }

    record Heading(String name, List<String> columns) {}

    /** A row that is new or has changed. */
    record Shown(String table, String key, Row row, boolean initial) implements Message {
        @Override
        public String event() {
            return "row";
        }

        @Override
        public boolean news() {
            return !initial;
        }
    }

    /** A row that was deleted, and the cause of the deletion. */
    record Gone(String table, String key, String cause) implements Message {
        @Override
        public String event() {
            return "gone";
        }
    }

    /** The initial state of a table is complete. */
    record Synced(String table, long count) implements Message {
        @Override
        public String event() {
            return "synced";
        }

        @Override
        public boolean news() {
            return false;
        }
    }

    /**
     * The status of everything, once a second.
     *
     * @param changes number of changes of rows since the last pulse
     * @param paused whether the embedded server refuses all connections
     */
    record Pulse(long changes, boolean paused, List<Stand> informers, List<Reader> browsers) implements Message {
        @Override
        public String event() {
            return "pulse";
        }
    }

    /**
     * The status of an informer.
     *
     * @param synced whether its rows were ever complete
     * @param stale seconds for which its rows may have been out of date, or for which the first complete list is awaited; null while they
     *     are complete and current
     * @param relists number of lists after the first one
     * @param resumes number of watches that were resumed after a disruption
     */
    record Stand(String table, State state, boolean synced, @Nullable Long stale, int objects,
            int relists, int resumes, int attempt, @Nullable String cause) {}

    /** The status of a browser; see {@link io.reactiveinformer.view.SubscriberStatus}. */
    record Reader(String name, boolean slow, String filter, long backlog, long emitted, long conflated) {}
}
