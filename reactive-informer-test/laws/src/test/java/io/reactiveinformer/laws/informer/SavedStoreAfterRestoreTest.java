package io.reactiveinformer.laws.informer;

import io.reactiveinformer.apiserver.Backup;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Store;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An informer over objects that the program has saved by itself, and a server that was restored while the program was away, and has passed
 * the saved version since.
 */
class SavedStoreAfterRestoreTest {

    private static final ResourceType<JsonNode> NOTES = ResourceType.dynamic("", "v1", "configmaps");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(time).build();
    private final KubernetesClient client = KubernetesClient.over(server.transport());

    @AfterEach
    void realTime() {
        client.close();
        server.close();
        VirtualTimeScheduler.reset();
    }

    private static String note(String name, int value) {
        return "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: a, labels: {of: us}}, data: {v: \"" + value
                + "\"}}";
    }

    /** Each size, and a selection, is proven in another way. */
    @ParameterizedTest
    @CsvSource({"2, false", "2, true", "110, false", "600, false", "600, true"})
    void isNoticed(int objects, boolean selected) {
        for (int i = 0; i < objects; i++) {
            server.objects().create(note("n" + i, 1));
        }
        Backup backup = server.backup();
        server.objects().update(note("n0", 2));
        ListerWatcher<JsonNode> source = ListerWatcher.over(client, NOTES, Namespaces.all(),
                selected ? Selector.labels("of=us") : Selector.any());
        ReflectorOptions options = ReflectorOptions.defaults().withTimer(time).withRandom(() -> 0);

        Informer<JsonNode> before = Informer.over(source, options);
        before.start();
        time.advanceTimeBy(Duration.ofMinutes(1));
        Store<JsonNode> saved = Store.create();
        List<Delta<JsonNode>> rows = new ArrayList<>();
        before.snapshot().forEach((key, row) -> rows.add(new Delta.Upserted<>(Namespaces.all(), key, row)));
        String version = before.snapshot().resourceVersion().orElseThrow();
        saved.apply(new Delta.Replaced<>(Namespaces.all(), rows, version, false));
        before.stop();
        time.advanceTimeBy(Duration.ofMinutes(1));

        server.restore(backup);
        for (int value = 3; value < 6; value++) {
            server.objects().update(note("n1", value)); // passes the saved version, and leaves n0 as it was
        }
        Informer<JsonNode> after = Informer.over(source, saved, version, options);
        after.start();
        time.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(values(after.lister().list())).isEqualTo(values(server.objects().list(NOTES)));
        assertThat(after.status().blockFirst().state()).isEqualTo(State.LIVE);
        after.stop();
    }

    private static Map<ObjectKey, String> values(List<? extends JsonNode> notes) {
        Map<ObjectKey, String> values = new TreeMap<>();
        notes.forEach(note -> values.put(ObjectKey.of("a", note.at("/metadata/name").asString()),
                note.at("/metadata/resourceVersion").asString() + " " + note.at("/data/v").asString()));
        return values;
    }
}
