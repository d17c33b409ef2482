package io.reactiveinformer.laws.informer;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.test.ScriptedListerWatcher;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

import static io.reactiveinformer.test.Script.added;
import static io.reactiveinformer.test.Script.modified;
import static io.reactiveinformer.test.Script.refusal;
import static io.reactiveinformer.test.Script.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Law 22, stream scenarios 89 and 90: a set of namespaces that grows and shrinks while an informer runs. Planted once, and caught: a
 * reflector that goes on when its namespace has left; what leaves, emitted to nobody; the other namespaces listed again.
 */
class ResizeTest {

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private final Map<Namespaces, ScriptedListerWatcher<String>> servers = new HashMap<>();
    private final Map<String, Sinks.Many<ObjectEvent<String>>> watches = new HashMap<>();
    private final List<String> received = new ArrayList<>();
    private final Informer<String> informer = Informer.over("texts", namespaces("a", "b"), part -> server(part.single()),
            ReflectorOptions.defaults().withStreaming(false).withTimer(time).withRandom(() -> 0));

    @AfterEach
    void realTime() {
        VirtualTimeScheduler.reset();
    }

    private static Namespaces namespaces(String... names) {
        return Namespaces.of(List.of(names));
    }

    private ScriptedListerWatcher<String> server(String namespace) {
        return servers.computeIfAbsent(Namespaces.of(namespace), part -> new ScriptedListerWatcher<>(part));
    }

    private void serves(String namespace, String version, String... objects) {
        Sinks.Many<ObjectEvent<String>> watch = Sinks.many().multicast().directBestEffort();
        watches.put(namespace, watch);
        server(namespace).onList(version, objects)
                .onWatch(version, Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>()).concatWith(watch.asFlux()));
    }

    private void happens(String namespace, ObjectEvent<String> event) {
        watches.get(namespace).tryEmitNext(event).orThrow();
        settle();
    }

    private void settle() {
        time.advanceTimeBy(Duration.ZERO);
    }

    private void resize(String... names) {
        informer.resize(namespaces(names));
        settle();
    }

    private void startWithTwo() {
        serves("a", "10", "a/x");
        serves("b", "20", "b/y");
        informer.changes().map(ResizeTest::text).subscribe(received::add);
        informer.start();
        settle();
        assertThat(received).containsExactlyInAnyOrder("+a/x initial", "+b/y initial", "synced");
        received.clear();
    }

    private static String text(Change<ObjectKey, String> change) {
        return change.match(
                added -> "+" + added.object() + (added.initial() ? " initial" : ""),
                updated -> updated.before() + " > " + updated.after(),
                deleted -> "-" + deleted.last() + " " + deleted.cause(),
                synced -> "synced");
    }

    private InformerStatus status() {
        List<InformerStatus> now = new ArrayList<>();
        informer.status().subscribe(now::add).dispose();
        settle();
        informer.status().take(1).subscribe(now::add);
        settle();
        return now.get(now.size() - 1);
    }

    @Test
    void aNamespaceThatIsAddedArrivesAndDisturbsNobody() {
        startWithTwo();
        serves("c", "30", "c/z");
        resize("a", "b", "c");
        happens("a", modified("a/x:2", "11"));
        happens("c", added("c/zz", "31"));

        assertThat(received).containsExactly("+c/z", "a/x > a/x:2", "+c/zz");
        assertThat(informer.lister().list()).containsExactlyInAnyOrder("a/x:2", "b/y", "c/z", "c/zz");
        assertThat(server("a").requests()).containsExactly("list resourceVersion=0 limit=500", "watch 10");
        assertThat(informer.namespaces()).isEqualTo(namespaces("a", "b", "c"));
        assertThat(status().synced()).isTrue();
    }

    @Test
    void aNamespaceThatIsRemovedLeavesAndNothingMoreIsReceivedOfIt() {
        startWithTwo();
        resize("a");
        assertThat(watches.get("b").currentSubscriberCount()).as("watches of what has left").isZero();
        happens("a", modified("a/x:2", "11"));

        assertThat(received).containsExactly("-b/y LEFT", "a/x > a/x:2");
        assertThat(informer.lister().list()).containsExactly("a/x:2");
        assertThat(status().parts()).isEmpty();
    }

    @Test
    void aCallerThatWaitsForWhatHasLeftIsNotifiedOfThat() {
        startWithTwo();
        List<String> ends = new ArrayList<>();
        ObjectKey gone = ObjectKey.of("b", "never");
        informer.await(gone, any -> true).subscribe(row -> {}, failure -> ends.add("await: " + failure.getMessage()));
        informer.atLeast(gone, "99").subscribe(row -> {}, failure -> ends.add("atLeast: " + failure.getMessage()));
        informer.awaitAbsent(ObjectKey.of("b", "y")).subscribe(row -> {}, failure -> ends.add("awaitAbsent: " + failure.getMessage()));
        settle();
        assertThat(ends).isEmpty();
        resize("a");
        assertThat(ends).containsExactlyInAnyOrder(
                "await: b/never cannot appear in texts, which watches namespace a",
                "atLeast: b/never cannot appear in texts, which watches namespace a",
                "awaitAbsent: b/y cannot appear in texts, which watches namespace a");
    }

    @Test
    void aNamespaceThatComesBackIsListedAgain() {
        startWithTwo();
        resize("a");
        serves("b", "25", "b/y:2");
        resize("a", "b");

        assertThat(received).containsExactly("-b/y LEFT", "+b/y:2");
        assertThat(server("b").requests())
                .containsExactly("list resourceVersion=0 limit=500", "watch 20", "list resourceVersion=0 limit=500", "watch 25");
    }

    @Test
    void aForbiddenNamespaceBlocksNobodyAndIsNamed() {
        startWithTwo();
        server("c").onList(refused(refusal(403, "Forbidden", "no rights"))).onList(Flux.never());
        resize("a", "b", "c");
        List<String> partial = new ArrayList<>();
        List<String> complete = new ArrayList<>();
        informer.changes(Delivery.conflated().partial()).map(ResizeTest::text).subscribe(partial::add);
        informer.changes().map(ResizeTest::text).subscribe(complete::add);
        happens("a", modified("a/x:2", "11"));

        assertThat(received).containsExactly("a/x > a/x:2");
        assertThat(partial).containsExactlyInAnyOrder("+a/x initial", "+b/y initial", "a/x > a/x:2");
        assertThat(complete).as("waits for all").isEmpty();
        InformerStatus status = status();
        assertThat(status.synced()).isFalse();
        assertThat(status.state()).isEqualTo(State.DISRUPTED);
        assertThat(status.parts().get(Namespaces.of("c")).cause()).hasMessageContaining("403 Forbidden");
        assertThat(status.parts().get(Namespaces.of("a")).state()).isEqualTo(State.LIVE);

        resize("a", "b");
        assertThat(status().synced()).as("without it").isTrue();
        assertThat(complete).containsExactlyInAnyOrder("+a/x:2 initial", "+b/y initial", "synced");
    }

    @Test
    void nothingIsEverythingOfNoNamespace() {
        startWithTwo();
        resize();
        assertThat(received).containsExactlyInAnyOrder("-a/x LEFT", "-b/y LEFT");
        assertThat(status()).matches(InformerStatus::synced).matches(now -> now.state() == State.LIVE);

        serves("c", "30", "c/z");
        resize("c");
        assertThat(informer.lister().list()).containsExactly("c/z");
    }

    @Test
    void isResizedBeforeItStartsAndNotAfterItStopped() {
        informer.resize(namespaces("c"));
        serves("c", "30", "c/z");
        informer.start();
        settle();
        informer.stop();
        informer.resize(namespaces("a", "c"));
        settle();

        assertThat(informer.lister().list()).containsExactly("c/z");
        assertThat(server("a").requests()).isEmpty();
    }

    @Test
    void aSetOfNamespacesDoesNotBecomeAllOfThem() {
        assertThatThrownBy(() -> informer.resize(Namespaces.all())).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("texts", "all namespaces", "another informer");
    }
}
