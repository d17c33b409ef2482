package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.Scannable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Named cases of the laws; the numbers are those of {@code reference/stream-scenarios.md}. */
class ChangeHubTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final Rows rows = Rows.complete();

    private Listening<String> subscribe() {
        return Listening.to(rows.hub.changes(Delivery.conflated().on(scheduler)));
    }

    private Listening<String> synced() {
        Listening<String> listening = subscribe().request(1_000_000);
        assertThat(received(listening)).last().asString().startsWith("synced");
        return listening;
    }

    private List<String> received(Listening<String> listening) {
        scheduler.runAll();
        return listening.received();
    }

    private Listening<String> stalled() {
        Listening<String> listening = subscribe().request(rows.snapshot().size() + 1);
        scheduler.runAll();
        listening.received();
        return listening;
    }

    /** 34 to 40. */
    @Test
    void conflatesWhatHappensWithoutDemand() {
        rows.put("a", "u", 1).put("b", "u", 2).put("c", "u", 3).put("d", "u", 4);
        Listening<String> listening = stalled();

        rows.put("new", "u", 5).put("new", "u", 6).put("new", "u", 7); // 34
        rows.put("a", "u", 8).put("a", "u", 9); // 35
        rows.put("short", "u", 10).remove("short", 11); // 36
        rows.put("b", "u", 12).remove("b", 13); // 37
        rows.remove("c", 14).put("c", "other", 15); // 38
        rows.put("unseen", "u", 16).remove("unseen", 17).put("unseen", "other", 18); // 39
        rows.put("d", "u", 19).put("d", "u", 4); // 40

        assertThat(listening.backlog()).isEqualTo(5);
        assertThat(received(listening.all())).containsExactly(
                "+new=u@7", "a: u@1 -> u@9", "-b=u@2 OBSERVED 13", "-c=u@3 OBSERVED 14", "+unseen=other@18", "+c=other@15");
    }

    /** 42, 43, and law 5. */
    @Test
    void keepsAKeysPlaceInLine() {
        rows.put("hot", "u", 1).put("a", "u", 2).put("b", "u", 3);
        Listening<String> listening = stalled();
        rows.put("a", "u", 4).put("hot", "u", 5).put("b", "u", 6).put("a", "u", 7).put("hot", "u", 8);
        assertThat(received(listening.request(1))).containsExactly("a: u@2 -> u@7");
        rows.put("a", "u", 9);
        assertThat(received(listening.all())).containsExactly("hot: u@1 -> u@8", "b: u@3 -> u@6", "a: u@7 -> u@9");
    }

    /** Also if another commit comes in between. */
    @Test
    void theAdditionOfARecreatedRowComesAfterTheOtherRows() {
        rows.put("a", "u", 1);
        Listening<String> listening = stalled();
        rows.edit("a", "other", 2).edit("b", "u", 3).commit();
        List<String> all = new ArrayList<>(received(listening.request(1)));
        rows.commit();
        all.addAll(received(listening.all()));
        assertThat(all).containsExactly("-a=u@1 OBSERVED 1", "+b=u@3", "+a=other@2");
    }

    @Test
    void neverTakesAnObjectWithoutUidForARecreatedOne() {
        rows.put("a", null, 1);
        Listening<String> listening = stalled();
        rows.remove("a", 2).put("a", null, 3);
        assertThat(received(listening.all())).containsExactly("a: null@1 -> null@3");
    }

    /** 46, 47. */
    @Test
    void boundsABacklogByTheNumberOfKeys() {
        Listening<String> listening = subscribe();
        for (int i = 1; i <= 1_000_000; i++) {
            rows.put("k" + i % 20, "u", i);
        }
        assertThat(listening.backlog()).as("20 keys and Synced").isEqualTo(21);
        for (int i = 0; i < 20; i++) {
            rows.remove("k" + i, 2_000_000 + i);
        }
        assertThat(listening.backlog()).as("Synced").isEqualTo(1);
    }

    /** 48, 49, 8.8.152. */
    @Test
    void tellsNothingBeforeTheFirstCompleteRows() {
        Rows incomplete = Rows.incomplete();
        Listening<String> listening = Listening.to(incomplete.hub.changes(Delivery.conflated().on(scheduler))).all();
        incomplete.edit("a", "u", 1).publish(incomplete.table.commit(false));
        assertThat(received(listening)).isEmpty();
        incomplete.edit("a", "u", 2).edit("b", "u", 3).commit();
        assertThat(received(listening)).containsExactlyInAnyOrder("+a=u@2 (initial)", "+b=u@3 (initial)", "synced 2")
                .last().isEqualTo("synced 2");

        Listening<String> late = Listening.to(incomplete.hub.changes(Delivery.conflated().on(scheduler))).all();
        assertThat(received(late)).containsExactlyInAnyOrder("+a=u@2 (initial)", "+b=u@3 (initial)", "synced 2")
                .last().isEqualTo("synced 2");
    }

    @Test
    void syncsOnNothing() {
        assertThat(received(subscribe().all())).containsExactly("synced 0");
    }

    @Test
    void tellsOnlyWhatWasThereBeforeSynced() {
        for (int i = 0; i < 10; i++) {
            rows.edit("k" + i, "u", i + 1);
        }
        rows.commit();
        Listening<String> listening = subscribe().request(4);
        List<String> first = received(listening);
        String walked = first.get(0).substring(1, 3);
        rows.put("later", "u", 100).put(walked, "u", 101);
        for (int i = 0; i < 10; i++) {
            rows.put("k" + i, "u", 200 + i);
        }
        List<String> rest = received(listening.all());
        assertThat(rest.subList(0, 6)).allMatch(change -> change.matches("\\+k\\d=u@20\\d \\(initial\\)"));
        assertThat(rest.get(6)).isEqualTo("synced 10");
        assertThat(rest.subList(7, rest.size())).contains("+later=u@100").hasSize(5);
    }

    /** 53, and rule 3.9. */
    @Test
    void failsWhoRequestsNothing() {
        rows.put("a", "u", 1);
        Listening<String> listening = subscribe().request(0);
        scheduler.runAll();
        assertThat(listening.failure).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("§3.9");
        assertThat(listening.received).isEmpty();
        assertThat(rows.hub.followers()).isZero();
    }

    /** 54, 55. */
    @Test
    void letsAStalledSubscriberDelayNobody() {
        Listening<String> stalled = subscribe();
        Listening<String> healthy = synced();
        rows.put("a", "u", 1);
        assertThat(received(healthy)).containsExactly("+a=u@1");
        assertThat(stalled.received).isEmpty();
    }

    /** 56, 57, 58. */
    @Test
    void stopsAtOnceWhenCancelledInsideOnNext() {
        rows.put("a", "u", 1).put("b", "u", 2).put("c", "u", 3);
        var listening = new Listening<String>() {
            @Override
            public void onNext(Change<String, String> change) {
                super.onNext(change);
                subscription.cancel();
            }
        };
        rows.hub.changes(Delivery.conflated().on(scheduler)).subscribe(listening);
        listening.all();
        scheduler.runAll();
        rows.put("a", "u", 4);
        scheduler.runAll();
        assertThat(listening.received).hasSize(1);
        assertThat(listening.backlog()).isZero();
        assertThat(Scannable.from(listening.subscription).scan(Scannable.Attr.CANCELLED)).isTrue();
        assertThat(rows.hub.followers()).isZero();
        assertThat(received(subscribe().all())).hasSize(4);
    }

    @Test
    @SuppressWarnings("unchecked") // a proxy's type has no parameters
    void leavesNothingBehindWhenCancelledInTheMiddleOfSubscribing() {
        Listening<String> listening = new Listening<>();
        Snapshot<String, String> cancelling = (Snapshot<String, String>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Snapshot.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("cursor")) {
                        listening.subscription.cancel();
                    }
                    try {
                        return method.invoke(rows.snapshot(), arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
        ChangeHub<String, String> hub = ChangeHub.of(cancelling);
        hub.changes(Delivery.conflated().on(scheduler)).subscribe(listening);
        assertThat(hub.followers()).isZero();
    }

    /** 61, law 9. */
    @Test
    void endsOnlyTheSubscriptionWhoseSubscriberThrows() {
        List<Throwable> dropped = new ArrayList<>();
        Context hook = Context.of("reactor.onErrorDropped.local", (Consumer<Throwable>) dropped::add);
        var thrown = new IllegalStateException("on purpose");
        rows.hub.changes(Delivery.conflated().on(scheduler)).subscribe(new Listening<>() {
            @Override
            public Context currentContext() {
                return hook;
            }

            @Override
            public void onSubscribe(Subscription s) {
                s.request(Long.MAX_VALUE);
            }

            @Override
            public void onNext(Change<String, String> change) {
                throw thrown;
            }
        });
        Listening<String> other = synced();
        rows.put("a", "u", 1);
        assertThat(received(other)).containsExactly("+a=u@1");
        assertThat(dropped).containsExactly(thrown);
        assertThat(rows.hub.followers()).isEqualTo(1);
    }

    /** 62. */
    @Test
    void passesTheContextOn() {
        rows.put("a", "u", 1);
        Flux<String> keys = rows.hub.changes(Delivery.conflated())
                .transformDeferredContextual((changes, context) -> changes.map(change -> context.get("who").toString()))
                .contextWrite(Context.of("who", "me"));
        StepVerifier.create(keys.take(2)).expectNext("me", "me").verifyComplete();
    }

    /** 64. */
    @Test
    void tellsWhatIsPendingBeforeItCompletes() {
        Listening<String> listening = stalled();
        Listening<String> waiting = Listening.to(Rows.incomplete().hub.changes(Delivery.conflated().on(scheduler)));
        rows.put("a", "u", 1);
        rows.hub.complete();
        scheduler.runAll();
        assertThat(listening.completed).isFalse();
        assertThat(received(listening.all())).containsExactly("+a=u@1");
        assertThat(listening.completed).isTrue();
        assertThat(waiting.completed).isFalse();
        Listening<String> late = subscribe().all();
        assertThat(received(late)).containsExactly("+a=u@1 (initial)", "synced 1");
        assertThat(late.completed).isTrue();
    }

    @Test
    void completesWhoWaitsForCompleteRowsInVain() {
        Rows incomplete = Rows.incomplete();
        Listening<String> listening = Listening.to(incomplete.hub.changes(Delivery.conflated().on(scheduler)));
        incomplete.hub.complete();
        scheduler.runAll();
        assertThat(listening.completed).isTrue();
    }

    /** 65. */
    @Test
    void tellsAFailureAtOnceAndToLaterSubscribersToo() {
        rows.put("a", "u", 1);
        Listening<String> stalled = subscribe();
        var reason = new IllegalStateException("given up");
        rows.hub.fail(reason);
        Listening<String> later = subscribe();
        scheduler.runAll();
        assertThat(stalled.failure).isSameAs(reason);
        assertThat(later.failure).isSameAs(reason);
        assertThatThrownBy(() -> rows.put("b", "u", 2)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void failsWhenItsSchedulerIsShutDown() {
        Listening<String> listening = synced();
        scheduler.shutDown();
        rows.put("a", "u", 1);
        assertThat(listening.failure).isInstanceOf(RejectedExecutionException.class);
        assertThat(rows.hub.followers()).isZero();
    }

    @Test
    void givesOthersOnTheSameThreadTheirTurn() {
        for (int i = 0; i < 1_000; i++) {
            rows.edit("k" + i, "u", i + 1);
        }
        rows.commit();
        Listening<String> one = subscribe().all();
        Listening<String> other = subscribe().all();
        scheduler.runNext();
        scheduler.runNext();
        assertThat(one.received).hasSizeBetween(1, 500);
        assertThat(other.received).hasSizeBetween(1, 500);
        scheduler.runAll();
        assertThat(one.received).hasSize(1_001);
        assertThat(other.received).hasSize(1_001);
    }

    @Test
    void needsNoDeepStackOnASchedulerThatRunsAtOnce() {
        for (int i = 0; i < 200_000; i++) {
            rows.edit("k" + i, "u", i + 1);
        }
        rows.commit();
        Listening<String> listening = Listening.to(rows.hub.changes(Delivery.conflated().on(Schedulers.immediate()))).all();
        assertThat(listening.received).hasSize(200_001);
    }

    @Test
    void beginsBeforeTheRowsAreCompleteWhenAsked() {
        Rows incomplete = Rows.incomplete();
        incomplete.edit("a", "u", 1).publish(incomplete.table.commit(false));
        Listening<String> listening = Listening.to(incomplete.hub.changes(Delivery.conflated().partial().on(scheduler))).all();
        assertThat(received(listening)).containsExactly("+a=u@1 (initial)");
        incomplete.edit("a", "u", 2).edit("b", "u", 3).publish(incomplete.table.commit(false));
        assertThat(received(listening)).containsExactly("a: u@1 -> u@2", "+b=u@3 (initial)");
        incomplete.edit("c", "u", 4).commit();
        incomplete.put("d", "u", 5);
        assertThat(received(listening)).containsExactly("+c=u@4 (initial)", "synced 3", "+d=u@5");
    }

    /** Law 2: what is put back as it was is another instance, and the one that was emitted counts. */
    @Test
    void comparesWithTheVeryInstanceThatItEmitted() {
        rows.put("a", "u", 1).put("b", "u", 2);
        List<Change<String, String>> changes = new ArrayList<>();
        rows.hub.changes(Delivery.conflated().resync(Duration.ofMinutes(1)).on(scheduler)).subscribe(changes::add);
        scheduler.runNext();
        List<Versioned<String>> received = changes.stream().limit(2)
                .map(change -> ((Change.Added<String, String>) change).entry()).toList();
        changes.clear();

        rows.put("a", "u", 3).put("a", "u", 1).put("b", "u", 4).put("b", "u", 2);
        scheduler.tick();
        scheduler.runAll();
        rows.put("a", "u", 5).remove("b", 6);
        scheduler.runAll();

        List<Versioned<String>> before = changes.stream().map(change -> change.<Versioned<String>>match(
                Change.Added::entry, Change.Updated::entryBefore, Change.Deleted::entry, synced -> null)).toList();
        assertThat(before).hasSize(4).allSatisfy(state -> assertThat(received).anySatisfy(one -> assertThat(one).isSameAs(state)));
    }

    /** The same for a subscriber that keeps up, and so receives differences that all share. */
    @Test
    void comparesWithTheVeryInstanceThatItEmittedAlsoWhereItKeepsUp() {
        rows.put("a", "u", 1);
        List<Change<String, String>> changes = new ArrayList<>();
        rows.hub.changes(Delivery.conflated().on(scheduler)).subscribe(changes::add);
        scheduler.runAll();
        Versioned<String> first = ((Change.Added<String, String>) changes.get(0)).entry();
        changes.clear();

        rows.put("a", "u", 3).put("a", "u", 1);
        scheduler.runAll();
        assertThat(changes).isEmpty();
        rows.put("a", "u", 5);
        scheduler.runAll();
        assertThat(((Change.Updated<String, String>) changes.get(0)).entryBefore()).isSameAs(first);
    }

    @Test
    void tellsTheNewestSnapshotOnly() {
        List<Long> revisions = new ArrayList<>();
        var subscriber = new BaseSubscriber<Snapshot<String, String>>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                subscription.request(1);
            }

            @Override
            protected void hookOnNext(Snapshot<String, String> snapshot) {
                revisions.add(snapshot.revision());
            }
        };
        rows.hub.snapshots(Delivery.conflated().on(scheduler)).subscribe(subscriber);
        scheduler.runAll();
        Commit<String, String> last = null;
        for (int i = 1; i < 10; i++) {
            rows.table.put("a", Rows.state("u", i), DeletionCause.OBSERVED);
            last = rows.publish(rows.table.commit(true));
        }
        subscriber.request(10);
        scheduler.runAll();
        assertThat(revisions).containsExactly(1L, last.snapshot().revision());
    }
}
