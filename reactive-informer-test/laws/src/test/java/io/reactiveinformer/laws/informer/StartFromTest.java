package io.reactiveinformer.laws.informer;

import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Store;
import io.reactiveinformer.test.Script;
import io.reactiveinformer.test.ScriptedListerWatcher;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

import static io.reactiveinformer.test.Script.added;
import static io.reactiveinformer.test.Script.deleted;
import static io.reactiveinformer.test.Script.expired;
import static io.reactiveinformer.test.Script.never;
import static io.reactiveinformer.test.Script.staysOpenAfter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** An informer that goes on from what an earlier process saved. */
class StartFromTest {

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private final ScriptedListerWatcher<String> server = new ScriptedListerWatcher<>();

    @AfterEach
    void realTime() {
        VirtualTimeScheduler.reset();
    }

    @Test
    void servesTheSavedObjectsBeforeTheServerAnswers() {
        Informer<String> informer = informer("50", "a", "b");
        assertThat(cached(informer)).isEqualTo(Map.of("a", "50", "b", "50"));
        assertThat(state(informer)).isEqualTo(State.IDLE);
    }

    @Test
    void goesOnWithoutAList() {
        server.onWatch("50", staysOpenAfter(added("c", "51"), deleted("a", "52")));
        Informer<String> informer = started("50", "a", "b");
        List<String> received = received(informer);
        assertThat(received).contains("Synced");
        assertThat(cached(informer)).isEqualTo(Map.of("b", "50", "c", "51"));
        assertThat(informer.status().blockFirst()).matches(InformerStatus::synced).extracting(InformerStatus::state).isEqualTo(State.LIVE);
        server.verifyPlayedToTheEnd();
    }

    /** What vanished meanwhile is emitted as deleted. */
    @Test
    void listsNothingOlderWhereTheHistoryDoesNotReachBack() {
        server.onWatch("50", expired()).onList("60", "b", "c").onWatch("60", never());
        Informer<String> informer = informer("50", "a", "b");
        List<String> received = received(informer);
        informer.start();
        time.advanceTimeBy(Duration.ofSeconds(5));
        assertThat(received).contains("Synced", "Deleted a INFERRED");
        assertThat(cached(informer).keySet()).containsExactly("b", "c");
        assertThat(server.requests()).contains("list resourceVersion=50 match=NotOlderThan");
        server.verifyPlayedToTheEnd();
    }

    /** Recorded exchange 35: a server that was restored, or is another one, is silent to a version from its future. */
    @Test
    void aServerThatSaysNothingToASavedVersionIsAskedForAList() {
        server.onWatch("50", Script.<String>never().take(Duration.ofMinutes(6), time)).onList("60", "c").onWatch("60", never());
        Informer<String> informer = started("50", "a");
        time.advanceTimeBy(Duration.ofMinutes(7));
        assertThat(cached(informer).keySet()).containsExactly("c");
        server.verifyPlayedToTheEnd();
    }

    @Test
    void onlyAVersionThatTheServerSentWillDo() {
        for (String version : List.of("", "0")) {
            assertThatThrownBy(() -> informer(version)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("resourceVersion must be one that the server sent")
                    .hasMessageContaining('"' + version + '"');
        }
    }

    private Informer<String> started(String version, String... objects) {
        Informer<String> informer = informer(version, objects);
        informer.start();
        time.advanceTimeBy(Duration.ofSeconds(1));
        return informer;
    }

    private List<String> received(Informer<String> informer) {
        List<String> received = new ArrayList<>();
        informer.changes().subscribe(change -> received.add(text(change)));
        time.advanceTimeBy(Duration.ofSeconds(1));
        return received;
    }

    private static String text(Change<ObjectKey, String> change) {
        return change.match(added -> "Added " + added.key(), updated -> "Updated " + updated.key(),
                deleted -> "Deleted " + deleted.key() + " " + deleted.cause(), synced -> "Synced");
    }

    private static State state(Informer<String> informer) {
        return informer.status().blockFirst().state();
    }

    private static Map<String, String> cached(Informer<String> informer) {
        Map<String, String> cached = new TreeMap<>();
        informer.snapshot().forEach((key, entry) -> cached.put(key.name(), entry.resourceVersion()));
        return cached;
    }

    private Informer<String> informer(String version, String... objects) {
        Store<String> saved = Store.create();
        List<Delta<String>> rows = new ArrayList<>();
        for (String object : objects) {
            rows.add(new Delta.Upserted<>(Namespaces.all(), ObjectKey.clusterScoped(object),
                    new Versioned<>("uid-" + object, version, object)));
        }
        saved.apply(new Delta.Replaced<>(Namespaces.all(), rows, version, false));
        return Informer.over(server, saved, version,
                ReflectorOptions.defaults().withStreaming(false).withTimer(time).withRandom(() -> 0));
    }
}
