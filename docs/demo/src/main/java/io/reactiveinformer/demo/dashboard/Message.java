package io.reactiveinformer.demo.dashboard;

import io.reactiveinformer.resource.InformerStatus.State;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.Change;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a browser is told, each as JSON under the name of its {@link #event}. */
sealed interface Message {

    /** The name of the server-sent event. */
    String event();

    /** Whether it is news, rather than what was there when the browser came. */
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
     * First of all, and again when the browser comes back: what it knows is void.
     *
     * @param browser who it is, in {@link Pulse#browsers}
     * @param cluster what is looked at, in words
     * @param faults what can be asked for; none where the cluster is a real one
     */
    record Hello(String browser, String cluster, List<Heading> tables, List<String> faults) implements Message {
        @Override
        public String event() {
            return "hello";
        }
    }

    record Heading(String name, List<String> columns) {}

    /** A row that is there, or is another one than before. */
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

    /** A row that is not there any more, and how that is known. */
    record Gone(String table, String key, String cause) implements Message {
        @Override
        public String event() {
            return "gone";
        }
    }

    /** All that was there when the browser came has been told. */
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
     * Once a second: how everything stands.
     *
     * @param changes of rows since the last one
     * @param paused whether the embedded server refuses everybody
     */
    record Pulse(long changes, boolean paused, List<Stand> informers, List<Reader> browsers) implements Message {
        @Override
        public String event() {
            return "pulse";
        }
    }

    /**
     * How an informer stands.
     *
     * @param synced whether its rows were ever complete
     * @param stale for how many seconds its rows may be out of date, or the first complete list is awaited; null while they are complete
     *     and current
     * @param relists how often it had to list again
     * @param resumes how often it went on where it had been cut off
     */
    record Stand(String table, State state, boolean synced, @Nullable Long stale, int objects,
            int relists, int resumes, int attempt, @Nullable String cause) {}

    /** How a browser stands; see {@link io.reactiveinformer.view.SubscriberStatus}. */
    record Reader(String name, boolean slow, String filter, long backlog, long told, long conflated) {}
}
