package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.util.context.Context;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Laws 1 to 9 (stream scenarios 44 and 45, client-go 8.6.108 and 8.6.109) for conflated subscribers, over random schedules of writes, subscriptions, requests, cancellations, subscribers that throw,
 * and turns of the scheduler. A {@link ModelSubscriber} beside each says, change by change, what it must hear.
 *
 * <p>Each of these was planted once, and caught: {@code before} taken from the last write instead of from what was told; a recreation
 * merged into one update; a row that goes to the end of the line when it changes again; a change of a row that the walk has yet to come to
 * noted as well; an addition and deletion of which nothing was told, told; the cause of a later object's end; one signal more than requested;
 * {@code before} equal to what was told, but another instance, of a row that was put back as it was, by one commit or by two; a backlog that is kept after a cancellation.
 */
class ChangeLawsTest {

    private static final int KEYS = 5;

    private static final class OnPurpose extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Property(tries = 3_000)
    void everySubscriberHearsWhatTheLawsSay(@ForAll("schedules") List<Integer> schedule) {
        new World().play(schedule);
    }

    @Provide
    Arbitrary<List<Integer>> schedules() {
        return Arbitraries.integers().between(0, 9_999).list().ofMinSize(1).ofMaxSize(150);
    }

    private static final class World {

        private final ManualScheduler scheduler = new ManualScheduler();
        private final Table<String, String> table = Table.create();
        private final ChangeHub<String, String> hub = ChangeHub.of(table.snapshot(), Integer.MAX_VALUE, () -> scheduler);
        private final List<Listener> listeners = new ArrayList<>();
        private boolean complete;
        private int version = 1;

        void play(List<Integer> schedule) {
            for (int step : schedule) {
                play(step % 20, step / 20);
            }
            listeners.forEach(listener -> listener.request(1_000));
            scheduler.runAll();
            listeners.forEach(Listener::checkAtRest);
        }

        private void play(int action, int detail) {
            switch (action) {
                case 0 -> complete = true;
                case 1, 2 -> listeners.add(new Listener(this));
                case 3 -> pick(detail, listener -> listener.cancel());
                case 4 -> pick(detail, listener -> listener.throwing = true);
                case 5, 6, 7 -> pick(detail, listener -> listener.request(1 + detail % 3));
                case 8, 9, 10 -> scheduler.runNext();
                case 11 -> scheduler.runAll();
                case 12 -> relist(detail);
                default -> {
                    edit(detail);
                    commit();
                }
            }
            listeners.forEach(Listener::check);
        }

        private void pick(int detail, Consumer<Listener> action) {
            if (!listeners.isEmpty()) {
                action.accept(listeners.get(detail % listeners.size()));
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
            Versioned<String> held = table.find(key);
            switch (detail / KEYS % 7) {
                case 0, 1 -> table.remove(key, detail % 3 == 0 ? DeletionCause.INFERRED : DeletionCause.OBSERVED, detail % 2 == 0 ? null : "" + version++);
                case 2 -> put(key, "u" + version, "" + version++); // another object
                case 3 -> put(key, null, "" + version++); // one without uid
                case 4 -> put(key, held == null ? "u" : held.uid(), "again"); // a version that was there before
                default -> put(key, held == null ? "u" + version : held.uid(), "" + version++);
            }
        }

        private void put(String key, @Nullable String uid, String newVersion) {
            table.put(key, new Versioned<>(uid, newVersion, key + newVersion), DeletionCause.OBSERVED);
        }

        private void commit() {
            Commit<String, String> commit = table.commit(complete);
            hub.publish(commit);
            listeners.forEach(listener -> listener.model.file(commit));
        }
    }

    private static final class Listener implements CoreSubscriber<Change<String, String>> {

        private final ModelSubscriber<String, String> model;
        private @Nullable Subscription subscription;
        private long demand;
        private boolean throwing;
        private boolean over;
        private final List<Throwable> dropped = new ArrayList<>();
        private final Map<String, Versioned<String>> received = new HashMap<>();

        Listener(World world) {
            model = new ModelSubscriber<>(world.table.snapshot());
            world.hub.changes(Delivery.on(world.scheduler)).subscribe(this);
        }

        /** Where Reactor looks for someone who hears of what a subscriber threw. */
        @Override
        public Context currentContext() {
            return Context.of("reactor.onErrorDropped.local", (Consumer<Throwable>) dropped::add);
        }

        @Override
        public void onSubscribe(Subscription s) {
            subscription = s;
        }

        void request(long n) {
            demand += n;
            subscription.request(n);
        }

        void cancel() {
            over = true;
            subscription.cancel();
        }

        @Override
        public void onNext(Change<String, String> change) {
            assertThat(over).as("nothing comes after the end").isFalse();
            assertThat(demand--).as("demand").isPositive();
            assertThat(change).isEqualTo(model.next());
            checkInstance(change);
            if (throwing) {
                over = true;
                throw new OnPurpose();
            }
        }

        /** Law 2, to the letter: what was received, not what is equal to it. */
        private void checkInstance(Change<String, String> change) {
            change.<Runnable>fold(
                            added -> () -> received.put(added.key(), added.entry()),
                            updated -> () -> assertThat(received.put(updated.key(), updated.to())).isSameAs(updated.from()),
                            deleted -> () -> assertThat(received.remove(deleted.key())).isSameAs(deleted.entry()),
                            synced -> () -> {})
                    .run();
        }

        @Override
        public void onError(Throwable failure) {
            throw new AssertionError(failure);
        }

        @Override
        public void onComplete() {
            throw new AssertionError("completed");
        }

        void check() {
            assertThat(dropped).allSatisfy(failure -> assertThat(failure).isInstanceOf(OnPurpose.class));
            Integer buffered = Scannable.from(subscription).scan(Scannable.Attr.BUFFERED);
            assertThat(buffered).as("backlog").isEqualTo((int) (over ? 0 : model.backlog()));
        }

        void checkAtRest() {
            check();
            if (!over) {
                assertThat(model.isAtRest()).as("everything was told").isTrue();
                assertThat(model.knowsAll() || !model.hasBegun()).as("the fold of what was told is what is there").isTrue();
            }
        }
    }
}
