package io.reactiveinformer.controller;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reactiveinformer.controller.Controller.Reconciled;
import io.reactiveinformer.controller.ReconcileRequest.Cause;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Numbers are of the stream scenarios. All in virtual time, on scripted views. */
class ControllerTest extends ControllerFixture {

    @Test // 113
    void nothingRunsBeforeAllViewsAreSyncedAndThenEachKeyOnce() {
        controller.start();
        sets.put("a/web", set(1));
        sets.sync();
        pods.put("a/web-1", pod("web"));
        pods.put("a/web-2", pod("web"));
        assertThat(begun()).isEmpty();
        pods.sync();
        assertThat(begun()).containsExactly("a/web");
        finish("a/web");
        assertThat(begun()).isEmpty();
    }

    @Test // 117
    void noMoreKeysAtATimeThanAskedFor() {
        sync();
        controller.start();
        List.of("a/1", "a/2", "a/3").forEach(key -> sets.put(key, set(1)));
        assertThat(begun()).containsExactly("a/1", "a/2");
        finish("a/1");
        assertThat(begun()).containsExactly("a/3");
    }

    @Test // 117
    void concurrencyIsBoundedWithoutBeingAskedFor() {
        Controller<ObjectKey> usual = Controller.named("usual").watches(sets, Route.self())
                .queue(queue -> queue.withWorkers(time).withTimer(time))
                .reconcile(this::work);
        sets.sync();
        usual.start();
        IntStream.range(0, 100).forEach(i -> sets.put("a/" + i, set(1)));
        assertThat(begun()).hasSize(ControllerBuilder.CONCURRENCY);
    }

    @Test
    void whatHappensNowComesBeforeWhatWasThere() {
        sets.put("a/1", set(1));
        sets.put("a/2", set(1));
        controller.warm();
        sync();
        sets.put("a/3", set(1));
        sets.resync("a/2");
        controller.start();
        assertThat(begun()).containsExactly("a/3", "a/1");
    }

    @Test // 118
    void workThatTakesTooLongIsCancelledAndHasFailed() {
        List<Reconciled<ObjectKey>> results = new ArrayList<>();
        controller.results().subscribe(results::add);
        sync();
        controller.start();
        sets.put("a/web", set(1));
        time.advanceTimeBy(ofSeconds(30));
        assertThat(cancelled).containsExactly("a/web");
        assertThat(results).singleElement().satisfies(one -> {
            assertThat(one.took()).isEqualTo(ofSeconds(30));
            assertThat(one.result()).isInstanceOfSatisfying(Result.Failed.class,
                    failed -> assertThat(failed.cause()).isInstanceOf(ReconcileTimeoutException.class)
                            .hasMessageContaining("a/web").hasMessageContaining("PT30S"));
        });
        begun();
        time.advanceTimeBy(ofMillis(5));
        assertThat(begun.get(0).retries()).isEqualTo(1);
    }

    /** A worker that is blocked, as it must not be: the key is failed when the call returns, for it runs until then. */
    @Test
    void aKeyWhoseWorkHasNotReturnedIsNotGivenToAnother() {
        List<String> steps = new ArrayList<>();
        VirtualTimeScheduler timer = VirtualTimeScheduler.create(); // which goes on while a worker is blocked
        Controller<ObjectKey> blocking = builder().queue(queue -> queue.withWorkers(Schedulers.immediate()).withTimer(timer))
                .reconcile(request -> Mono.create(sink -> {
                    steps.add("begins");
                    if (steps.size() == 1) {
                        timer.advanceTimeBy(ofSeconds(31));
                        time.advanceTime();
                        steps.add("returns");
                    }
                    sink.success(Result.done());
                }));
        blocking.results().subscribe(result -> steps.add(result.result().getClass().getSimpleName()));
        sync();
        blocking.start();
        blocking.add(ObjectKey.of("a", "web"));
        time.advanceTime();
        timer.advanceTimeBy(ofSeconds(1));
        time.advanceTime();
        assertThat(steps).containsExactly("begins", "returns", "Failed", "begins", "Done");
        blocking.close();
    }

    @Test // 119
    void aMissingClassOrADeepRecursionFailsItsKeyOnly() {
        for (Error fatal : List.of(new NoClassDefFoundError("gone"), new StackOverflowError("deep"))) {
            List<Reconciler<ObjectKey>> broken = List.of(
                    request -> {
                        throw fatal;
                    },
                    request -> Mono.fromCallable(() -> {
                        throw fatal;
                    }));
            for (Reconciler<ObjectKey> reconciler : broken) {
                List<String> tried = new ArrayList<>();
                Controller<ObjectKey> fragile = builder().concurrency(1).reconcile(request -> {
                    tried.add(request.key().name());
                    return request.key().name().equals("bad") ? reconciler.reconcile(request) : Mono.just(Result.done());
                });
                sync();
                fragile.start();
                fragile.add(ObjectKey.of("a", "bad"));
                fragile.add(ObjectKey.of("a", "good"));
                time.advanceTimeBy(ofMillis(5));
                assertThat(tried).containsExactly("bad", "good", "bad");
                fragile.close();
            }
        }
    }

    @Test // 110, 111, 112
    void theResultSaysWhenAKeyIsLookedAtAgain() {
        sync();
        controller.start();
        sets.put("a/web", set(1));
        finish("a/web", Result.failed(new IllegalStateException("away")));
        time.advanceTimeBy(ofMillis(5));
        finish("a/web", Result.failed(new IllegalStateException("away")));
        time.advanceTimeBy(ofMillis(9));
        assertThat(begun()).hasSize(2);
        time.advanceTimeBy(ofMillis(1));
        finish("a/web", Result.again(ofSeconds(60)));
        time.advanceTimeBy(ofSeconds(59));
        assertThat(begun()).hasSize(1);
        time.advanceTimeBy(ofSeconds(1));
        finish("a/web", Result.givenUp(new IllegalArgumentException("nonsense")));
        time.advanceTimeBy(ofSeconds(10_000));
        assertThat(begun()).hasSize(1);
    }

    @Test // 119
    void aReconcilerThatThrowsHarmsNoOtherKey() {
        List<String> seen = new ArrayList<>();
        Controller<ObjectKey> throwing = builder().reconcile(request -> {
            seen.add(request.key().name());
            if (request.key().name().equals("bad")) {
                throw new IllegalStateException("thrown");
            }
            return Mono.empty();
        });
        sync();
        throwing.start();
        List.of("a/bad", "a/good").forEach(key -> sets.put(key, set(1)));
        assertThat(seen).containsExactly("bad", "good");
        time.advanceTimeBy(ofMillis(5));
        assertThat(seen).containsExactly("bad", "good", "bad");
        throwing.close();
    }

    @Test // 120
    void aViewThatFailsIsReportedAndDoesNotStopTheOthers() {
        List<ControllerStatus> statuses = new ArrayList<>();
        controller.status().subscribe(statuses::add);
        sync();
        controller.start();
        pods.fail(new IllegalStateException("given up"));
        sets.put("a/web", set(1));
        assertThat(begun()).containsExactly("a/web");
        ControllerStatus last = statuses.get(statuses.size() - 1);
        assertThat(last.healthy()).isFalse();
        assertThat(last.state()).isEqualTo(ControllerStatus.State.WORKING);
        assertThat(last.views()).extracting(ControllerStatus.OfView::ended).containsExactly(false, true);
        assertThat(last.views().get(1).failure()).hasMessage("given up");
    }

    @Test // 120
    void aViewThatEndsBeforeItIsSyncedIsTheEndOfWhoWaits() {
        List<Throwable> failures = new ArrayList<>();
        controller.run().subscribe(null, failures::add);
        controller.synced().subscribe(null, failures::add);
        pods.fail(new IllegalStateException("given up"));
        assertThat(failures).hasSize(2).allSatisfy(failure -> assertThat(failure).isInstanceOf(ViewEndedException.class)
                .hasMessageContaining("given up"));
    }

    @Test // 121
    void drainLetsWorkEndAndBeginsNoMore() {
        List<String> ended = new ArrayList<>();
        sync();
        controller.run().subscribe(null, null, () -> ended.add("run"));
        List.of("a/1", "a/2", "a/3").forEach(key -> sets.put(key, set(1)));
        controller.drain(ofSeconds(10)).subscribe(null, null, () -> ended.add("drain"));
        sets.put("a/4", set(1));
        finish("a/1");
        assertThat(begun()).containsExactly("a/1", "a/2");
        assertThat(ended).isEmpty();
        finish("a/2");
        assertThat(ended).containsExactlyInAnyOrder("run", "drain");
        assertThat(cancelled).isEmpty();
        assertThat(sets.subscriptions() + pods.subscriptions()).isZero();
    }

    @Test // 121
    void whatGoesOnPastTheGraceIsCancelled() {
        List<String> ended = new ArrayList<>();
        sync();
        controller.run().subscribe(null, null, () -> ended.add("run"));
        sets.put("a/web", set(1));
        controller.drain(ofSeconds(10)).subscribe(null, null, () -> ended.add("drain"));
        time.advanceTimeBy(ofSeconds(9));
        assertThat(cancelled).isEmpty();
        time.advanceTimeBy(ofSeconds(1));
        assertThat(cancelled).containsExactly("a/web");
        assertThat(ended).containsExactlyInAnyOrder("run", "drain");
    }

    /** As of a sharded controller, which drains when its work has ended. */
    @Test
    void aDrainWithoutGraceWarnsOnlyOfRunningWork() {
        var log = (Logger) LoggerFactory.getLogger(Controller.class);
        var logged = new ListAppender<ILoggingEvent>();
        logged.start();
        log.addAppender(logged);
        try {
            sync();
            controller.run().subscribe();
            controller.drain(Duration.ZERO).block();
            assertThat(logged.list).isEmpty();
            Controller<ObjectKey> busy = builder().reconcile(this::work);
            busy.run().subscribe();
            sets.put("a/web", set(1));
            busy.drain(Duration.ZERO).block();
            assertThat(logged.list).singleElement().asString().contains("a/web");
        } finally {
            log.detachAppender(logged);
        }
    }

    @Test // 121
    void drainDoesNotWaitForViewsThatAreNotSynced() {
        List<String> ended = new ArrayList<>();
        sets.put("a/web", set(1));
        controller.run().subscribe(null, null, () -> ended.add("run"));
        controller.drain(ofSeconds(10)).subscribe(null, null, () -> ended.add("drain"));
        assertThat(ended).containsExactlyInAnyOrder("run", "drain");
        assertThat(begun()).isEmpty();
        assertThat(sets.subscriptions() + pods.subscriptions()).isZero();
    }

    @Test
    void nothingIsRememberedOfKeysThatNobodyWillWorkOn() {
        var ending = (QueueingController<ObjectKey>) controller;
        sync();
        controller.start();
        sets.put("a/web", set(1));
        controller.drain(ofSeconds(10)).subscribe();
        sets.put("a/api", set(1));
        controller.add(ObjectKey.of("a", "draining"));
        assertThat(ending.runs().explained()).isZero();
        finish("a/web", Result.failed(new IllegalStateException("away")));
        controller.add(ObjectKey.of("a", "over"));
        assertThat(ending.runs().explained()).isZero();
    }

    @Test // 123
    void aWarmControllerWorksOnlyWhileItIsRun() {
        sync();
        controller.warm();
        sets.put("a/web", set(1));
        assertThat(begun()).isEmpty();
        Disposable leading = controller.run().subscribe();
        assertThat(begun()).containsExactly("a/web");
        leading.dispose();
        assertThat(cancelled).containsExactly("a/web");
        sets.put("a/api", set(1));
        assertThat(begun()).isEmpty();
        assertThat(sets.subscriptions()).as("still followed, by one subscription").isEqualTo(1);
        controller.run().subscribe();
        assertThat(begun()).containsExactlyInAnyOrder("a/web", "a/api");
    }

    @Test // 123
    void onlyOneIsAtWorkAtATime() {
        sync();
        controller.start();
        List<Throwable> failures = new ArrayList<>();
        controller.run().subscribe(null, failures::add);
        assertThat(failures).singleElement().satisfies(failure -> assertThat(failure).hasMessageContaining("runs already"));
    }

    @Test // 123
    void aSubscriberThatLearnsThatWorkHasEndedMayRunItAgain() {
        List<Throwable> failures = new ArrayList<>();
        controller.run().retry(1).subscribe(null, failures::add);
        pods.fail(new IllegalStateException("given up"));
        assertThat(failures).singleElement().isInstanceOf(ViewEndedException.class);
    }

    @Test // 124
    void aRequestTellsEverythingThatLedToIt() {
        sync();
        pods.put("a/web-1", pod("web"));
        pods.put("a/web-1", pod("web"));
        sets.put("a/web", set(1));
        controller.add(ObjectKey.of("a", "web"));
        controller.start();
        sets.put("a/web", set(2));
        assertThat(begun.get(0).causes()).extracting(Cause::toString)
                .containsExactly("REQUESTED sets a/web", "PRESENT view 1 a/web", "PRESENT view 2 a/web-1");
        finish("a/web", Result.failed(new IllegalStateException("away")));
        assertThat(begun.get(1).causes()).extracting(Cause::toString)
                .containsExactly("UPDATED view 1 a/web", "REQUESTED sets a/web", "PRESENT view 1 a/web",
                        "PRESENT view 2 a/web-1", "AGAIN sets a/web");
    }

    @Test // 124
    void ofManyCausesAFewAreKeptAndTheOthersCounted() {
        sync();
        controller.warm();
        IntStream.range(0, 50).forEach(i -> pods.put("a/web-" + i, pod("web")));
        controller.start();
        assertThat(begun.get(0).causes()).hasSize(Causes.KEPT);
        assertThat(begun.get(0).moreCauses()).isEqualTo(50 - Causes.KEPT);
    }

    @Test // 125
    void resultsThatNobodyTakesDelayNobodyAndAGapTellsOfThem() {
        List<Long> numbers = new ArrayList<>();
        var slow = new BaseSubscriber<Reconciled<ObjectKey>>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {}

            @Override
            protected void hookOnNext(Reconciled<ObjectKey> one) {
                numbers.add(one.number());
            }
        };
        controller.results().subscribe(slow);
        sync();
        controller.start();
        for (int i = 0; i < 1_000; i++) {
            sets.put("a/web", set(i));
            finish("a/web");
        }
        assertThat(begun()).hasSize(1_000);
        slow.requestUnbounded();
        assertThat(numbers).hasSizeBetween(256, 258).last().isEqualTo(1_000L);
    }

    @Test
    void aPredicateOfIdleThatThrowsEndsOnlyItsOwnWait() {
        Controller<ObjectKey> controller = builder().concurrency(2).reconcile(this::work);
        sync();
        controller.start();
        sets.put("a/1", set(1));
        List<String> outcomes = new ArrayList<>();
        controller.idle(key -> {
            if (key.name().equals("2")) {
                throw new IllegalStateException("planned");
            }
            return true;
        }).subscribe(null, failure -> outcomes.add(failure.getMessage()));
        controller.idle(key -> key.name().equals("1")).subscribe(null, null, () -> outcomes.add("idle"));
        sets.put("a/2", set(1));
        finish("a/1");
        finish("a/2");
        assertThat(outcomes).containsExactlyInAnyOrder("planned", "idle");
        controller.close();
    }

    @Test
    void keysOfOthersAreNotWorkedOn() {
        Set<String> ours = new HashSet<>(Set.of("1", "2"));
        Controller<ObjectKey> shared = builder().keys(key -> ours.contains(key.name())).concurrency(1).reconcile(this::work);
        sync();
        shared.start();
        List.of("a/1", "a/2", "a/3").forEach(key -> sets.put(key, set(1)));
        ours.remove("2");
        ours.remove("1");
        List<String> idle = new ArrayList<>();
        shared.idle(key -> key.name().equals("1")).subscribe(null, null, () -> idle.add("1"));
        shared.idle(key -> key.name().equals("2")).subscribe(null, null, () -> idle.add("2"));
        assertThat(idle).containsExactly("2");
        finish("a/1");
        assertThat(idle).containsExactly("2", "1");
        assertThat(begun()).containsExactly("a/1");
        ours.add("3");
        shared.addAll(key -> key.name().equals("3"));
        assertThat(begun()).containsExactly("a/3");
        shared.close();
    }

    @Test
    void aRequestIsNamedInTheContextAndInTheLogOfTheWorker() {
        List<String> seen = new ArrayList<>();
        Controller<ObjectKey> logging = builder().reconcile(request -> {
            seen.add(MDC.get(ReconcileRequest.CONTROLLER) + " " + MDC.get(ReconcileRequest.KEY)
                    + " " + request.id().equals(MDC.get(ReconcileRequest.ID)));
            return Mono.deferContextual(context -> {
                seen.add(MDC.get(ReconcileRequest.KEY) + " " + context.get(ReconcileRequest.KEY)
                        + " " + (context.get(ReconcileRequest.class) == request) + " " + context.get("fencing"));
                return Mono.empty();
            });
        });
        sync();
        MDC.put(ReconcileRequest.KEY, "the test's own");
        try {
            logging.run().contextWrite(context -> context.put("fencing", 7)).subscribe();
            sets.put("a/web", set(1));
            assertThat(seen).containsExactly("sets a/web true", "a/web a/web true 7");
            assertThat(MDC.get(ReconcileRequest.KEY)).isEqualTo("the test's own");
            assertThat(MDC.get(ReconcileRequest.ID)).isNull();
        } finally {
            MDC.remove(ReconcileRequest.KEY);
            logging.close();
        }
    }

    @Test
    void statusTellsEachStateOnTheWay() {
        List<String> states = new ArrayList<>();
        controller.status().subscribe(status -> states.add(status.state() + " " + status.unsynced()), null, () -> states.add("end"));
        controller.warm();
        sets.sync();
        pods.sync();
        Disposable running = controller.run().subscribe();
        running.dispose();
        controller.start();
        sets.put("a/web", set(1));
        controller.drain(ofSeconds(1)).subscribe();
        time.advanceTimeBy(ofSeconds(1));
        assertThat(states).containsExactly(
                "IDLE [view 1, view 2]", "SYNCING [view 1, view 2]", "SYNCING [view 2]", "STANDBY []",
                "WORKING []", "STANDBY []", "WORKING []",
                "DRAINING []", "STOPPED []", "end");
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> Controller.named("")).hasMessageContaining("name of a controller is empty");
        assertThatThrownBy(() -> Controller.named("x").reconcile(this::work)).hasMessageContaining("no view");
        assertThatThrownBy(() -> builder().concurrency(0)).hasMessageContaining("concurrency must be at least 1");
        assertThatThrownBy(() -> builder().timeout(Duration.ZERO)).hasMessageContaining("timeout must be longer than zero");
    }

    @Test
    void whatTheReconcilerThrowsIsTheCauseOfTheFailure() {
        var thrown = new IllegalArgumentException("no such colour");
        assertThat(causeOf(request -> {
            throw thrown;
        })).isSameAs(thrown);
        assertThat(causeOf(request -> Mono.error(thrown))).isSameAs(thrown);
    }

    @Test
    @SuppressWarnings("NullAway") // as a user may do
    void aReconcilerThatReturnsNullIsNamed() {
        assertThat(causeOf(request -> null))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("one a/1")
                .hasMessageContaining("the reconciler returned null; return Mono.empty() if there is nothing to do");
    }

    private Throwable causeOf(Reconciler<ObjectKey> reconciler) {
        Controller<ObjectKey> one = Controller.named("one").watches(sets, Route.self())
                .queue(queue -> queue.withWorkers(time).withTimer(time)).reconcile(reconciler);
        List<Result> results = new ArrayList<>();
        one.results().subscribe(result -> results.add(result.result()));
        sync();
        one.start();
        sets.put("a/1", set(1));
        return ((Result.Failed) results.get(0)).cause();
    }

    @Test
    void aChangeThatComesWhileAKeyIsTakenIsReconciledOnce() {
        List<Runnable> workers = new ArrayList<>();
        Controller<ObjectKey> one = Controller.named("one").watches(sets, Route.self())
                .queue(queue -> queue.withWorkers(Schedulers.fromExecutor(workers::add)).withTimer(time)).reconcile(this::work);
        List<Integer> causes = new ArrayList<>();
        one.results().subscribe(result -> causes.add(result.request().causes().size()));
        sync();
        one.start();
        sets.put("a/1", set(1));
        sets.put("a/1", set(2));
        workers.remove(0).run();
        finish("a/1");
        assertThat(causes).containsExactly(2);
        assertThat(workers).isEmpty();
    }
}
