package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Table;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Laws 1 to 11 (stream scenarios 44, 45 and 60, client-go 8.6.108 and 8.6.109) for rows that are written in the nastiest ways: without uid,
 * with versions that were there before, each row twice in a commit, incomplete again. {@link ViewLawsTest} has the other laws, and the
 * other views.
 *
 * <p>Each of these was planted once, and caught here:
 *
 * <ul>
 *   <li>1: a change of a row that the walk has yet to come to noted as well; a resync of the rows of before
 *   <li>2: {@code before} taken from the last write instead of from what was emitted; {@code before} equal to what was emitted, but another
 *       instance, of a row that was put back as it was, by one commit or by two; the cause of a later object's end
 *   <li>3: an addition and deletion of which nothing was emitted, emitted
 *   <li>4: a recreation merged into one update; with {@code every}, its second half left out
 *   <li>5: a row that goes to the end of the line when it changes again
 *   <li>6: a backlog that is kept after a cancellation
 *   <li>7: one signal more than requested
 *   <li>8: {@code Synced} before the rows are complete
 *   <li>9: who throws stays subscribed
 *   <li>10: an overflow passed over in silence; one at a change too early, which counts what was emitted
 *   <li>11: a resync before {@code Synced}; a row that was dirty when its resync came and then changed back, not emitted
 * </ul>
 */
class ChangeLawsTest {

    private static final int KEYS = 5;

    @Property(tries = 3_000, seed = "1")
    void everySubscriberReceivesWhatTheLawsSay(@ForAll("schedules") List<Integer> schedule) {
        new World(Integer.MAX_VALUE).play(schedule);
    }

    /** All but those who want every state. */
    @Property(tries = 1_000, seed = "1")
    void soDoesASubscriberOfARelay(@ForAll("schedules") List<Integer> schedule) {
        new World(0).play(schedule);
    }

    @Provide
    Arbitrary<List<Integer>> schedules() {
        return Arbitraries.integers().between(0, 9_999).list().ofMinSize(1).ofMaxSize(150);
    }

    private static final class World {

        private final LawfulSubscribers subscribers = new LawfulSubscribers();
        private final Table<String, String> table = Table.create();
        private final int few;
        private final View<String, String> view;
        private final ChangeHub<String, String> hub;
        private boolean complete;
        private int version = 1;

        /** @param few are notified by the writer itself */
        World(int few) {
            this.few = few;
            hub = ChangeHub.of(table.snapshot(), few, () -> subscribers.scheduler);
            view = new HubView<>(table::snapshot, hub);
        }

        void play(List<Integer> schedule) {
            for (int step : schedule) {
                play(step % 20, step / 20);
                subscribers.check();
            }
            subscribers.checkAtRest();
            subscribers.leave();
            assertThat(hub.followers()).isZero();
        }

        private void play(int action, int detail) {
            switch (action) {
                case 10 -> complete |= detail % 2 == 0;
                case 11, 12 -> subscribers.join(LawfulSubscriber.of(
                        view, detail % 3 == 0 ? DeliveryOptions.of(detail / 3) : DeliveryOptions.NONE,
                        few > 0, subscribers.scheduler));
                case 13 -> relist(detail);
                case 14, 15, 16, 17, 18, 19 -> {
                    edit(detail);
                    commit();
                }
                default -> subscribers.play(action, detail);
            }
        }

        private void relist(int detail) {
            for (int i = 0; i < 2 * KEYS; i++) { // each key twice, so that some are put back as they were
                edit(detail * 31 + i * 7);
            }
            commit();
        }

        private void edit(int detail) {
            String key = "k" + detail % KEYS;
            Versioned<String> known = table.find(key);
            switch (detail / KEYS % 7) {
                case 0, 1 -> table.remove(key, detail % 3 == 0 ? DeletionCause.INFERRED : DeletionCause.OBSERVED,
                        detail % 2 == 0 ? null : "" + version++);
                case 2 -> put(key, "u" + version, "" + version++); // another object
                case 3 -> put(key, null, "" + version++); // one without uid
                case 4 -> put(key, known == null ? "u" : known.uid(), "again"); // a version that was there before
                default -> put(key, known == null ? "u" + version : known.uid(), "" + version++);
            }
        }

        private void put(String key, @Nullable String uid, String newVersion) {
            table.put(key, new Versioned<>(uid, newVersion, key + newVersion), DeletionCause.OBSERVED);
        }

        private void commit() {
            hub.publish(table.commit(complete));
        }
    }
}
