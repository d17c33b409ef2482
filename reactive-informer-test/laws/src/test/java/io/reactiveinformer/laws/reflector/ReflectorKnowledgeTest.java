package io.reactiveinformer.laws.reflector;

import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.delta.DeltaStage;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Store;
import io.reactiveinformer.test.Script;
import io.reactiveinformer.test.ScriptedListerWatcher;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.scheduler.VirtualTimeScheduler;

import static io.reactiveinformer.test.Script.never;
import static io.reactiveinformer.test.Script.refused;
import static org.assertj.core.api.Assertions.assertThat;

/** How a reflector uses what is cached when it begins or lists again: versions, instances, and other histories. */
class ReflectorKnowledgeTest {

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();

    /** Resume across restarts. */
    @Test
    void goesOnFromASavedStateWithoutAList() {
        var server = new ScriptedListerWatcher<String>().onWatch("50", Script.expired()).onList("60", "a").onWatch("60", never());
        ReflectorProbe.of(clock, server, (source, options) -> Reflector.of(source, options).resumeFrom("50"))
                .emits("watching 50", "410 #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "a@60", "listed 60", "watching 60")
                .end();
        assertThat(server.requests()).contains("list resourceVersion=50 match=NotOlderThan");
    }

    /** Law 15: a subscriber that subscribes again over a filled cache asks for nothing older. */
    @Test
    void theFirstListIsNotOlderThanWhatIsKnown() {
        Store<String> store = Store.create();
        store.apply(new Delta.Replaced<>(Namespaces.all(), List.of(), "50", false));
        var server = new ScriptedListerWatcher<String>().onList("60").onWatch("60", never());
        ReflectorProbe.of(clock, server, (source, options) -> Reflector.of(source, store, options))
                .emits("listing", "listed 60", "watching 60").end();
        assertThat(server.requests()).startsWith("list resourceVersion=50 match=NotOlderThan");
    }

    /** One object may be cached in a later state than the rest; an earlier list would be of the past. */
    @Test
    void theFirstListIsNotOlderThanAnyObjectThatIsKnown() {
        Store<String> store = Store.create();
        store.apply(new Delta.Replaced<>(Namespaces.all(), List.of(), "50", false));
        store.apply(new Delta.Upserted<>(Namespaces.all(), ObjectKey.clusterScoped("a"), new Versioned<>("u", "55", "a"), "52"));
        var server = new ScriptedListerWatcher<String>().onList("60").onWatch("60", never());
        ReflectorProbe.of(clock, server, (source, options) -> Reflector.of(source, store, options))
                .emits("listing", "listed 60", "watching 60").end();
        assertThat(server.requests()).startsWith("list resourceVersion=55 match=NotOlderThan");
    }

    /** Law 15: uid and version coincide in the histories before and after; the object is not the same. */
    @Test
    void anEqualVersionProvesNothingWhereTheHistoryMayBeAnother() {
        Store<String> store = Store.create();
        var server = new ScriptedListerWatcher<String>().onList(Flux.just(item("a", "old"), Script.lastPage("10")))
                .onWatch("10", Script.expired()).onList(refused(Script.tooLarge()))
                .onList(Flux.just(item("a", "new"), Script.lastPage("20"))).onWatch("20", never());
        Reflector.of(server, store, options()).events().transform(DeltaStage.over(store)).subscribe(store::apply);
        clock.advanceTimeBy(Duration.ofSeconds(5));
        assertThat(store.snapshot().get(ObjectKey.clusterScoped("a"))).contains("new");
        server.verifyPlayedToTheEnd();
    }

    /** Law 15: which of several late events of an object is the last, nobody knows; the list does. */
    @Test
    void aLateEventIsNotAppliedButListed() {
        Store<String> store = Store.create();
        var server = new ScriptedListerWatcher<String>().onList("10", "a", "b")
                .onWatch("10", Script.staysOpenAfter(
                        Script.modified("a:2", "12"), Script.modified("b:2", "11"), Script.modified("a:3", "13")))
                .onList("14", "a:4", "b:4").onWatch("14", never());
        Reflector.of(server, store, options()).events().transform(DeltaStage.over(store)).subscribe(store::apply);
        assertThat(versionOf(store, "a")).isEqualTo("12");
        assertThat(versionOf(store, "b")).isEqualTo("10");
        clock.advanceTimeBy(Duration.ofMillis(799));
        assertThat(versionOf(store, "b")).isEqualTo("10");
        clock.advanceTimeBy(Duration.ofMillis(801));
        assertThat(versionOf(store, "b")).isEqualTo("14");
        server.verifyPlayedToTheEnd();
    }

    private static String versionOf(Store<String> store, String name) {
        return String.valueOf(Objects.requireNonNull(store.find(ObjectKey.clusterScoped(name))).resourceVersion());
    }

    /** Some other servers send the last state as it was: that this state is cached does not mean that the deletion is known. */
    @Test
    void aDeletionInTheVersionThatIsCachedIsNotLost() {
        Store<String> store = Store.create();
        var server = new ScriptedListerWatcher<String>().onList("10", "a").onWatch("10", Script.staysOpenAfter(Script.deleted("a", "10")))
                .onList("10").onWatch("10", never());
        Reflector.of(server, store, options()).events().transform(DeltaStage.over(store)).subscribe(store::apply);
        clock.advanceTimeBy(Duration.ofSeconds(5));
        assertThat(store.snapshot().size()).isZero();
        server.verifyPlayedToTheEnd();
    }

    /** Law 14: of a class without equals, another instance is no difference, or each late list would tell of every object again. */
    @Test
    void objectsThatCannotBeComparedOpenNoNewEpoch() {
        Object cached = new Object();
        assertThat(afterALateList(List.of(item("a", "5", cached)), List.of(item("a", "5", new Object())))).isSameAs(cached);
    }

    /** Law 14: as the data of a Secret, which its equals compares by instance. */
    @Test
    void objectsThatHoldTheSameBytesOpenNoNewEpoch() {
        Object cached = Map.of("password", new byte[] {1, 2});
        assertThat(afterALateList(List.of(item("a", "5", cached)), List.of(item("a", "5", Map.of("password", new byte[] {1, 2})))))
                .isSameAs(cached);
        Object other = Map.of("password", new byte[] {1, 3});
        assertThat(afterALateList(List.of(item("a", "5", cached)), List.of(item("a", "5", other)))).isSameAs(other);
    }

    /** Law 15: in one history nothing goes back. */
    @Test
    void anObjectThatHasGoneBackOpensANewEpochForAllInformers() {
        Object listed = new Object();
        assertThat(afterALateList(List.of(item("a", "5", new Object()), item("b", "7", new Object())),
                List.of(item("a", "5", listed), item("b", "6", new Object())))).isSameAs(listed);
    }

    /** What is cached of "a" after our version was from the future, and a list that is not older than ours was received then. */
    private Object afterALateList(List<ObjectEvent<Object>> first, List<ObjectEvent<Object>> late) {
        Store<Object> store = Store.create();
        var server = new ScriptedListerWatcher<Object>().onList(Flux.fromIterable(first).concatWithValues(Script.lastPage("10")))
                .onWatch("10", Script.expired()).onList(refused(Script.tooLarge()))
                .onList(Flux.fromIterable(late).concatWithValues(Script.lastPage("20"))).onWatch("20", never());
        ReflectorOptions options = ReflectorOptions.defaults().withStreaming(false).withTimer(clock);
        Reflector.of(server, store, options).events().transform(DeltaStage.over(store)).subscribe(store::apply);
        clock.advanceTimeBy(Duration.ofSeconds(5));
        server.verifyPlayedToTheEnd();
        return store.snapshot().get(ObjectKey.clusterScoped("a")).orElseThrow();
    }

    private static <T> ObjectEvent<T> item(String name, String version, T object) {
        return new ObjectEvent.Applied<>(ObjectKey.clusterScoped(name), new Versioned<>("uid", version, object));
    }

    /** Stream scenario 24: this is "0" without match, which means the same and is understood by servers of every age. */
    @Test
    void theFirstListCanBeOfTheMostRecentState() {
        var server = new ScriptedListerWatcher<String>().onList("60").onWatch("60", never());
        ReflectorProbe.of(clock, server, options -> options.withConsistency(ReflectorOptions.Consistency.MOST_RECENT).withPageSize(7))
                .emits("listing", "listed 60", "watching 60").end();
        assertThat(server.requests()).startsWith("list limit=7");
    }

    private static ObjectEvent<String> item(String name, String object) {
        return new ObjectEvent.Applied<>(ObjectKey.clusterScoped(name), new Versioned<>("uid", "5", object));
    }

    private ReflectorOptions options() {
        return ReflectorOptions.defaults().withStreaming(false).withTimer(clock);
    }
}
