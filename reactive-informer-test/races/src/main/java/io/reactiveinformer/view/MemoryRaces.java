package io.reactiveinformer.view;

import io.reactiveinformer.races.OnlyOk;
import io.reactiveinformer.races.Received;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.view.Remembered.Gone;
import io.reactiveinformer.view.Remembered.Reset;
import io.reactiveinformer.view.Remembered.Row;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import reactor.core.scheduler.Schedulers;

/** Commits that a memory logs, against its subscribers and its readers. */
public class MemoryRaces {

    private MemoryRaces() {}

    /** Has the rows of a position, and those that follow it; a position that it has had already is wrong. */
    private static final class Replay extends Received<Remembered<String, String>> {

        private final Map<String, Versioned<String>> known = new HashMap<>();
        private @Nullable String position;
        private boolean synced;

        private Replay(Rows rows) {
            rows.snapshot().forEach(known::put);
        }

        @Override
        protected void receive(Remembered<String, String> element) {
            if (element instanceof Reset) {
                known.clear();
                synced = false;
            } else if (element instanceof Row<String, String> row) {
                if (row.entry().equals(known.put(row.key(), row.entry()))) {
                    isWrong("had " + row);
                }
            } else if (element instanceof Gone<String, String> gone) {
                known.remove(gone.key());
            } else {
                if (synced) {
                    isWrong("synced twice");
                }
                synced = true;
            }
            if (element.position().equals(position) && !(element instanceof Remembered.Synced)) {
                isWrong("a repeat at " + position);
            }
            position = element.position();
        }

        private String outcome(Rows rows) {
            var all = new HashMap<String, Versioned<String>>();
            rows.snapshot().forEach(all::put);
            return outcome(synced && known.equals(all), got());
        }
    }

    abstract static class Kept {

        final Rows rows = Rows.complete().put("a", "u", 1).put("b", "u", 1);
        final Memory<String, String> memory = new HubView<>(rows::snapshot, rows.hub)
                .remembering(Retention.of(Duration.ofHours(1)).atMost(1).withHistory(10));
        final String position = memory.position();
        final Replay received = new Replay(rows);

        void join(long demand) {
            memory.changesSince(position, Delivery.conflated().on(Schedulers.immediate())).subscribe(received);
            received.request(demand);
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class CommitAgainstJoin extends Kept {

        @Actor
        public void writes() {
            rows.put("a", "u", 2).remove("b", 3).put("c", "u", 4);
        }

        @Actor
        public void joins() {
            join(Long.MAX_VALUE);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = received.outcome(rows);
        }
    }

    /** It has been synced, and the changes are not requested yet. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class CommitsAgainstRequest extends Kept {

        public CommitsAgainstRequest() {
            join(1);
        }

        @Actor
        public void writes() {
            rows.put("a", "u", 2);
            rows.put("a", "u", 3);
        }

        @Actor
        public void requests() {
            received.request(1);
            received.request(5);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = received.outcome(rows);
        }
    }

    /** One deletion is kept: if the first is forgotten before it is read, everything begins again, also within the new rows. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class ForgettingAgainstSlowReader extends Kept {

        public ForgettingAgainstSlowReader() {
            join(1);
        }

        @Actor
        public void deletes() {
            rows.put("c", "u", 2).remove("a", 3).remove("b", 4).put("d", "u", 5).remove("c", 6);
        }

        @Actor
        public void reads() {
            received.request(1);
            received.request(1);
            received.request(20);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = received.outcome(rows);
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class CloseAgainstJoin extends Kept {

        @Actor
        public void closes() {
            memory.close();
        }

        @Actor
        public void joins() {
            join(Long.MAX_VALUE);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            boolean left = memory.subscribers() == 0 && rows.hub.followers() == 0;
            result.r1 = received.outcome(received.isCompleted() && received.got().size() <= 1 && left,
                    received.got() + ", left " + memory.subscribers() + " and " + rows.hub.followers());
        }
    }

    /** Both rows are always written together. The rows of a position are those that it had before. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class CommitsAgainstHistory extends Kept {

        private final Map<String, List<String>> read = new LinkedHashMap<>();
        private @Nullable String wrong;

        @Actor
        public void writes() {
            for (int i = 2; i < 7; i++) {
                rows.edit("a", "u", i).edit("b", "u", i).commit();
            }
        }

        @Actor
        public void reads() {
            for (int i = 0; i < 5; i++) {
                read(memory.position());
                read(position);
            }
        }

        private void read(String at) {
            List<String> found = memory.at(at).orElseThrow().list();
            List<String> before = read.putIfAbsent(at, found);
            wrong = found.equals(before == null ? found : before) && found.get(0).equals(found.get(1)) ? wrong : at + " had " + found;
        }

        @Arbiter
        public void arbiter(L_Result result) {
            List.copyOf(read.keySet()).forEach(this::read);
            result.r1 = OnlyOk.unless(wrong != null || !List.of("u@1", "u@1").equals(read.get(position)), wrong + " of " + read);
        }
    }
}
