package io.reactiveinformer.laws.informer;

import io.reactiveinformer.informer.InformerStoppedException;
import io.reactiveinformer.informer.NotSyncedException;
import io.reactiveinformer.informer.ResourceEventHandler;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

import static io.reactiveinformer.test.Script.added;
import static io.reactiveinformer.test.Script.deleted;
import static io.reactiveinformer.test.Script.expired;
import static io.reactiveinformer.test.Script.modified;
import static io.reactiveinformer.test.Script.never;
import static io.reactiveinformer.test.Script.refusal;
import static io.reactiveinformer.test.Script.refused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * client-go's shared informer and its controller: scenarios 8.6 and 8.8 (and 8.7 where it is about them). Others of these have their tests
 * elsewhere, or have no counterpart:
 *
 * <ul>
 *   <li>108, 109: {@code ChangeLawsTest} and {@code ConvergenceTest}: each key's history is legal, and ends equal to the server. 138, 141:
 *       {@code ChangeRacesTest}. Options are given before there is an informer, so that nothing can be set too late. 112, 142, 8.4.76,
 *       8.7.120:
 *       {@code InformerFactoryTest}: transforms, once an object.
 *   <li>114: a commit is one; it does not fail in part. 118: versions are read beside the object, so that no transform can hide them.
 *   <li>137: periods need no common tick: each subscription has its own. 156: a call that has begun ends, and none begins after {@code
 *       dispose} ({@link ResourceEventHandler.Registration}); nobody waits for it, since nothing blocks. 157: {@code docs/benchmarks}. 158:
 *       {@code DerivedViewsTest}, a filter is a view.
 *   <li>160: {@code Synced} comes in band. 161, 8.7.134: informers are named by what they are of, in messages only. 8.7.130, 8.7.133: no
 *       store with a time to live, and none that pushes its whole state: {@code changes()} and {@code snapshot()} do. 8.7.122: keys are
 *       read with the object, by no function that could fail. 162: {@code RestartTest}, the source is a server with its history.
 * </ul>
 */
class ClientGoInformerScenariosTest extends ScriptedInformer {

    private static final class Calls implements ResourceEventHandler<String> {

        private final List<String> calls = new ArrayList<>();

        @Override
        public void onAdd(String object, boolean isInInitialList) {
            calls.add("add " + object + (isInInitialList ? " initial" : ""));
        }

        @Override
        public void onUpdate(String before, String after) {
            calls.add("update " + before + " > " + after);
        }

        @Override
        public void onDelete(String last, boolean finalStateUnknown) {
            calls.add("delete " + last + (finalStateUnknown ? " unknown" : ""));
        }

        List<String> since() {
            List<String> since = List.copyOf(calls);
            calls.clear();
            return since;
        }
    }

    /**
     * 8.6.110, 8.8.154: a handler that throws at each call receives each, and the next; it is synced like any other, without pauses.
     */
    @Test
    void aHandlerThatThrowsEachTimeIsCalledEachTime() {
        List<String> failures = new ArrayList<>();
        ResourceEventHandler.Registration registration = informer.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(String object, boolean isInInitialList) {
                throw new IllegalStateException(object);
            }

            @Override
            public void onFailure(Change<ObjectKey, String> change, Throwable failure) {
                failures.add(failure.getMessage());
            }
        });
        startWith("a", "b", "c", "d", "e");
        assertThat(failures).containsExactlyInAnyOrder("a", "b", "c", "d", "e");
        StepVerifier.create(registration.synced()).verifyComplete();
        assertThat(informer.status().blockFirst().state()).isEqualTo(State.LIVE);
    }

    /** 8.6.116: what changed unseen is emitted when the history is gone, and is not initial. */
    @Test
    void whatARelistFindsIsNotInitial() {
        var calls = new Calls();
        informer.addEventHandler(calls);
        server.onList("10", "pod1").onWatch("10", expired()).onList("20", "pod1:changed", "pod2").onWatch("20", never());
        informer.start();
        settle();
        assertThat(calls.since()).containsExactly("add pod1 initial");
        time.advanceTimeBy(Duration.ofSeconds(5));
        assertThat(calls.since()).containsExactlyInAnyOrder("update pod1 > pod1:changed", "add pod2");
    }

    /** 8.6.117, 8.7.126: the store's version is none at first, then that of the list, of each event, and of a deletion. */
    @Test
    void theVersionIsThatOfTheLastEvent() {
        assertThat(informer.snapshot().resourceVersion()).isEmpty();
        startWith("a");
        assertThat(informer.snapshot().resourceVersion()).contains("10");
        happens(added("b", "11"));
        assertThat(informer.snapshot().resourceVersion()).contains("11");
        happens(modified("b:2", "12"));
        assertThat(informer.snapshot().resourceVersion()).contains("12");
        happens(deleted("b:2", "13"));
        assertThat(informer.snapshot().resourceVersion()).contains("13");
    }

    /** 8.8.136: each handler at its own period. */
    @Test
    void handlersAreNotifiedAgainEachAtItsOwnPeriod() {
        var none = new Calls();
        var two = new Calls();
        var three = new Calls();
        informer.addEventHandler(none);
        informer.addEventHandler(two, Duration.ofSeconds(2));
        informer.addEventHandler(three, Duration.ofSeconds(3));
        startWith("pod1", "pod2");
        List.of(none, two, three)
                .forEach(each -> assertThat(each.since()).containsExactlyInAnyOrder("add pod1 initial", "add pod2 initial"));

        time.advanceTimeBy(Duration.ofSeconds(2));
        assertThat(two.since()).containsExactlyInAnyOrder("update pod1 > pod1", "update pod2 > pod2");
        assertThat(none.since()).isEmpty();
        assertThat(three.since()).isEmpty();
        time.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(three.since()).containsExactlyInAnyOrder("update pod1 > pod1", "update pod2 > pod2");
        assertThat(two.since()).isEmpty();
        assertThat(none.since()).isEmpty();
    }

    /** 8.8.140: failures are in the status. */
    @Test
    void aRefusedListIsInTheStatus() {
        server.onList(refused(refusal(403, "Forbidden", "Access Denied"))).onList(Flux.never());
        informer.start();
        settle();
        assertThat(informer.status().blockFirst().cause()).hasMessageContaining("Access Denied");
    }

    /**
     * 8.8.144, 8.8.145, 8.8.146, 8.8.150, 8.8.153: a registration knows whose it is; disposing of it twice, or after the end, does nothing.
     */
    @Test
    void aHandlerIsAddedTwiceAndTakenAwayByItself() {
        var calls = new Calls();
        ResourceEventHandler.Registration one = informer.addEventHandler(calls);
        ResourceEventHandler.Registration other = informer.addEventHandler(calls);
        startWith("a");
        assertThat(calls.since()).containsExactly("add a initial", "add a initial");
        one.dispose();
        one.dispose();
        happens(added("b", "11"));
        assertThat(calls.since()).containsExactly("add b");
        informer.stop();
        settle();
        other.dispose();
        assertThat(other.isDisposed()).isTrue();
    }

    /** 8.8.148: new, running, stopped. */
    @Test
    void goesThroughItsStates() {
        assertThat(informer.status().blockFirst().state()).isEqualTo(State.IDLE);
        startWith("a");
        assertThat(informer.status().blockFirst().state()).isEqualTo(State.LIVE);
        informer.stop();
        settle();
        assertThat(informer.status().blockFirst().state()).isEqualTo(State.STOPPED);
        assertThat(server.requests()).hasSize(2);
    }

    /** 8.8.149: a handler that is added after the end receives what there was, and that it is over. */
    @Test
    void aHandlerThatIsAddedAfterTheEndIsNotifiedOfIt() {
        startWith("a");
        informer.stop();
        settle();
        var calls = new Calls();
        ResourceEventHandler.Registration late = informer.addEventHandler(calls);
        settle();
        assertThat(calls.since()).containsExactly("add a initial");
        StepVerifier.create(late.synced()).verifyComplete();
        StepVerifier.create(informer.await(ObjectKey.clusterScoped("b"), any -> true)).then(this::settle)
                .verifyError(InformerStoppedException.class);
    }

    /** 8.8.149: the same where nothing was ever complete. */
    @Test
    void aHandlerOfAnInformerThatNeverRanIsNeverSynced() {
        informer.stop();
        settle();
        StepVerifier.create(informer.addEventHandler(new Calls()).synced()).then(this::settle).verifyError(NotSyncedException.class);
    }

    /** 8.8.152. */
    @Test
    void aHandlerThatComesLaterReceivesAllAndDisturbsNobody() {
        var first = new Calls();
        ResourceEventHandler.Registration one = informer.addEventHandler(first);
        List<String> oneSynced = new ArrayList<>();
        one.synced().subscribe(done -> {}, failure -> {}, () -> oneSynced.add("synced"));
        settle();
        assertThat(oneSynced).as("before it runs").isEmpty();
        startWith("a");
        happens(added("b", "11"));
        assertThat(oneSynced).hasSize(1);
        assertThat(first.since()).containsExactly("add a initial", "add b");

        var second = new Calls();
        ResourceEventHandler.Registration two = informer.addEventHandler(second);
        List<String> twoSynced = new ArrayList<>();
        two.synced().subscribe(done -> {}, failure -> {}, () -> twoSynced.add("synced"));
        settle();
        assertThat(second.since()).containsExactlyInAnyOrder("add a initial", "add b initial");
        assertThat(twoSynced).hasSize(1);
        happens(added("c", "12"));
        assertThat(first.since()).containsExactly("add c");
        assertThat(second.since()).containsExactly("add c");
    }
}
