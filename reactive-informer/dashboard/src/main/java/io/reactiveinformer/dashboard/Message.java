package io.reactiveinformer.dashboard;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.InformerStatus.State;
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
                added -> Shown.of(table, added.key(), added.object(), added.initial()),
                updated -> Shown.of(table, updated.key(), updated.after(), false),
                deleted -> new Gone(table, deleted.key().toString(), deleted.cause().name()),
                synced -> new Synced(table, synced.count()));
    }

    /**
     * The first message, also after each reconnect: the browser forgets all rows.
     *
     * @param browser the browser's own name in {@link Pulse#browsers}
     * @param title the cluster or the application in words
     * @param faults the faults that the page can cause; none for a real cluster
     */
    record Hello(String browser, String title, List<Heading> tables, List<String> faults) implements Message {
        @Override
        public String event() {
            return "hello";
        }
    }

    /** @param kind the plural of the objects */
    record Heading(String name, String kind, List<String> columns) {}

    /** A row that is new or has changed. */
    record Shown(String table, String key, @Nullable String namespace, String name, Row row, boolean initial) implements Message {

        private static Shown of(String table, ObjectKey key, Row row, boolean initial) {
            return new Shown(table, key.toString(), key.namespace(), key.name(), row, initial);
        }

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
     * @param faults the faults that the page can cause now
     * @param marks what happened to informers in the last two minutes
     */
    record Pulse(long changes, List<String> faults, List<Stand> informers, List<Mark> marks, List<Reader> browsers) implements Message {
        @Override
        public String event() {
            return "pulse";
        }
    }

    /**
     * The status of an informer.
     *
     * @param description the informer's own
     * @param optional whether it is no problem that it is not live
     * @param synced whether its rows were ever complete
     * @param stale seconds for which its rows may have been out of date, or for which the first complete list is awaited; null while they
     *     are complete and current
     * @param relists number of lists after the first one
     * @param resumes number of watches that were resumed after a disruption
     * @param retry seconds until the next attempt; null if none is scheduled
     * @param unreadable number of objects of which an older state is shown, or none
     */
    record Stand(String table, String description, State state, boolean optional, boolean synced, @Nullable Long stale, int objects,
            int relists, int resumes, int attempt, @Nullable String cause, @Nullable Long retry, int unreadable) {}

    /**
     * A disruption, a relist or a resume of an informer.
     *
     * @param id unique in the table
     * @param ago seconds since then
     * @param cause empty if none is known
     */
    record Mark(String table, long id, String kind, long ago, String cause) {}

    /** The status of a browser; see {@link io.reactiveinformer.view.SubscriberStatus}. */
    record Reader(String name, boolean slow, String filter, long backlog, long emitted, long conflated) {}
}
