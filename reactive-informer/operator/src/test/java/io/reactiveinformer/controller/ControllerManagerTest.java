package io.reactiveinformer.controller;

import io.reactiveinformer.PoorTimer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.internal.Shortage;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What kube-controller-manager does for its controllers. In virtual time. */
class ControllerManagerTest {

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private final ScriptedView<String> rows = new ScriptedView<>();
    private final List<String> events = new ArrayList<>();
    private final InformerFactory informers = (InformerFactory) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {InformerFactory.class}, (proxy, method, arguments) -> {
                events.add("informers " + method.getName());
                return method.getReturnType() == Mono.class ? Mono.empty() : null;
            });

    private final Sinks.Empty<Result> work = Sinks.empty();

    @AfterEach
    void end() {
        VirtualTimeScheduler.reset();
    }

    private Controller<ObjectKey> controller(String name) {
        events.add("make " + name);
        return Controller.named(name).watches(rows, Route.self()).queue(queue -> queue.withWorkers(time).withTimer(time))
                .reconcile(request -> {
                    events.add(name + " works");
                    return work.asMono().doOnCancel(() -> events.add(name + " cancelled")).doOnTerminate(() -> events.add(name + " ends"));
                });
    }

    private ControllerManager manager(ManagerOptions options) {
        return ControllerManager.create(informers, options.withTimer(time))
                .register("deployment", () -> controller("deployment"))
                .register("job", () -> controller("job"))
                .registerOptional("tokens", () -> controller("tokens"));
    }

    private List<String> events() {
        List<String> since = List.copyOf(events);
        events.clear();
        return since;
    }

    @Test
    void informersStartWhenAllControllersHaveAskedForTheirs() {
        rows.sync();
        manager(ManagerOptions.defaults()).start();
        assertThat(events()).containsExactly("make deployment", "make job", "informers start");
    }

    @Test
    void namesSayWhichControllersRun() {
        manager(ManagerOptions.defaults().withControllers("*", "-job", "tokens")).start();
        assertThat(events()).containsExactly("make deployment", "make tokens", "informers start");
        manager(ManagerOptions.defaults().withControllers("job")).start();
        assertThat(events()).containsExactly("make job", "informers start");
        manager(ManagerOptions.defaults().withControllers("-job", "*", "job")).start();
        assertThat(events()).as("what is said first counts").containsExactly("make deployment", "informers start");
        assertThatThrownBy(() -> manager(ManagerOptions.defaults().withControllers("*", "-jbo")).start())
                .hasMessageContaining("no controller named jbo");
    }

    @Test
    void controllersBeginOneAfterTheOther() {
        rows.put("a/1", "one");
        rows.sync();
        manager(ManagerOptions.defaults().withControllers("*", "tokens").withStartInterval(ofSeconds(10))).start();
        assertThat(events()).endsWith("informers start", "deployment works");
        time.advanceTimeBy(ofSeconds(10).minusMillis(1));
        assertThat(events()).isEmpty();
        time.advanceTimeBy(ofSeconds(10));
        assertThat(events).contains("job works");
        time.advanceTimeBy(ofSeconds(20));
        assertThat(events()).containsSubsequence("job works", "tokens works");
    }

    @Test
    void aControllerBeginsAlsoIfTheTimerHasLostItsTurn() {
        var timer = new PoorTimer(time);
        rows.put("a/1", "one");
        rows.sync();
        timer.loses(1);
        ControllerManager.create(informers, ManagerOptions.defaults().withStartInterval(ofSeconds(10)).withTimer(timer))
                .register("deployment", () -> controller("deployment"))
                .register("job", () -> controller("job"))
                .start();
        time.advanceTimeBy(ofSeconds(20));
        assertThat(events()).contains("deployment works").doesNotContain("job works");
        Shortage.endsInVirtualTime();
        time.advanceTimeBy(ofSeconds(20));
        assertThat(events()).contains("job works");
    }

    @Test
    void workEndsBeforeTheInformersStop() {
        rows.put("a/1", "one");
        rows.sync();
        ControllerManager manager = manager(ManagerOptions.defaults());
        manager.start();
        events();
        manager.stop(ofSeconds(5)).subscribe(null, null, () -> events.add("stopped"));
        assertThat(events()).isEmpty();
        work.tryEmitEmpty().orThrow();
        assertThat(events()).containsExactly("deployment ends", "job ends", "informers stop", "stopped");
    }

    @Test
    void workThatDoesNotEndIsCancelledTheLastControllerFirst() {
        rows.put("a/1", "one");
        rows.sync();
        ControllerManager manager = manager(ManagerOptions.defaults());
        manager.start();
        events();
        manager.stop(ofSeconds(5)).subscribe();
        time.advanceTimeBy(ofSeconds(5));
        assertThat(events()).containsExactly("job cancelled", "deployment cancelled", "informers stop");
    }

    @Test
    void whoFollowsIsWarmAndWorksOnlyWhileItLeads() {
        rows.put("a/1", "one");
        rows.sync();
        ControllerManager manager = manager(ManagerOptions.defaults());
        manager.warm();
        assertThat(events()).doesNotContain("job works");
        Disposable leading = manager.run().subscribe();
        assertThat(events()).contains("deployment works", "job works");
        leading.dispose();
        assertThat(events()).contains("deployment cancelled", "job cancelled");
    }

    @Test
    void isAsHealthyAsEachOfItsControllers() {
        ControllerManager manager = manager(ManagerOptions.defaults());
        assertThat(manager.healthy()).isTrue();
        manager.start();
        assertThat(manager.statuses().keySet()).containsExactly("deployment", "job");
        assertThat(manager.healthy()).isTrue();
        List<String> synced = new ArrayList<>();
        manager.synced().subscribe(null, failure -> synced.add("failed"), () -> synced.add("synced"));
        rows.fail(new IllegalStateException("given up"));
        assertThat(manager.healthy()).isFalse();
        assertThat(synced).containsExactly("failed");
        manager.close();
        assertThat(events()).endsWith("informers close");
    }

    @Test
    void refusesWhatMakesNoSense() {
        ControllerManager manager = manager(ManagerOptions.defaults());
        assertThatThrownBy(() -> manager.register("job", () -> controller("job")))
                .hasMessageContaining("a controller named job is registered already");
        assertThatThrownBy(() -> manager.register("-x", () -> controller("x"))).hasMessageContaining("begin with -");
        assertThatThrownBy(() -> ManagerOptions.defaults().withStartInterval(Duration.ofSeconds(-1))).hasMessageContaining("negative");
        manager.start();
        assertThatThrownBy(() -> manager.register("late", () -> controller("late"))).hasMessageContaining("must be registered before");
    }

    @Test
    void aStartThatFailedCanBeRepeated() {
        boolean[] broken = {true};
        rows.put("a/1", "one");
        rows.sync();
        ControllerManager manager = ControllerManager.create(informers, ManagerOptions.defaults().withTimer(time))
                .register("deployment", () -> controller("deployment"))
                .register("job", () -> {
                    if (broken[0]) {
                        throw new IllegalStateException("no such type");
                    }
                    return controller("job");
                });
        List<String> synced = new ArrayList<>();
        manager.synced().subscribe(null, failure -> synced.add(failure.getMessage()), () -> synced.add("synced"));
        assertThatThrownBy(manager::start).hasMessage("no such type");
        assertThat(synced).containsExactly("no such type");
        assertThat(rows.subscriptions()).as("of the one that was made").isZero();
        assertThat(manager.statuses()).isEmpty();
        assertThat(events()).containsExactly("make deployment");
        broken[0] = false;
        manager.start();
        assertThat(events()).containsExactly("make deployment", "make job", "informers start", "deployment works", "job works");
        manager.start();
        assertThat(events()).isEmpty();
        assertThat(manager.statuses().keySet()).containsExactly("deployment", "job");
    }

    @Test
    void noOtherThreadWaitsWhileControllersAreMade() throws InterruptedException {
        ControllerManager[] itself = new ControllerManager[1];
        CountDownLatch asked = new CountDownLatch(1);
        itself[0] = ControllerManager.create(informers, ManagerOptions.defaults().withTimer(time)).register("deployment", () -> {
            new Thread(() -> {
                itself[0].healthy();
                itself[0].warm();
                asked.countDown();
            }).start();
            try {
                events.add("answered " + asked.await(20, TimeUnit.SECONDS));
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
            return controller("deployment");
        });
        itself[0].start();
        assertThat(events()).containsExactly("answered true", "make deployment", "informers start");
    }

    @Test
    void isNotSyncedBeforeItIsStarted() {
        ControllerManager manager = manager(ManagerOptions.defaults());
        List<String> synced = new ArrayList<>();
        manager.synced().subscribe(null, failure -> synced.add("failed"), () -> synced.add("synced"));
        assertThat(synced).isEmpty();
        manager.warm();
        assertThat(synced).isEmpty();
        rows.sync();
        assertThat(synced).containsExactly("synced");
    }

    @Test
    void whatIsStoppedBeforeItIsStartedDoesNotStart() {
        ControllerManager manager = manager(ManagerOptions.defaults());
        List<String> synced = new ArrayList<>();
        manager.synced().subscribe(null, failure -> synced.add(failure.getMessage()));
        manager.close();
        assertThat(synced).singleElement().asString().contains("stopped before");
        assertThatThrownBy(manager::start).isInstanceOf(IllegalStateException.class).hasMessageContaining("stopped");
        assertThat(events()).containsExactly("informers close");
    }
}
