package io.reactiveinformer.laws.reflector;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.apiserver.Backup;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.faults.Cut;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** Laws 15 and 17: a store that was put back to an older state, whose new history has passed our version before we look. */
@Timeout(60)
class RestoredStoreTest {

    private static final ResourceType<V1ConfigMap> NOTES = ResourceType.of(V1ConfigMap.class);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final List<String> NAMESPACES = List.of("a", "b", "c");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(time).build();
    private final KubernetesClient client = KubernetesClient.over(server.transport(), ClientOptions.defaults().withListsAtOnce(0));
    private final InformerFactory informers = InformerFactory.create(client, ReflectorOptions.defaults().withTimer(time));

    @AfterEach
    void close() {
        informers.close();
        client.close();
        server.close();
        time.dispose();
    }

    private void write(String namespace, String name, int value) {
        String note = "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: "
                + namespace + "}, data: {v: \"" + value + "\"}}";
        if (server.objects().get(NOTES, ObjectKey.of(namespace, name)).isPresent()) {
            server.objects().update(note);
        } else {
            server.objects().create(note);
        }
    }

    private Map<String, String> stored(@Nullable String namespace) {
        var all = new TreeMap<String, String>();
        server.objects().list(NOTES).stream()
                .filter(note -> namespace == null || note.at("/metadata/namespace").stringValue().equals(namespace))
                .forEach(note -> all.put(note.at("/metadata/namespace").stringValue() + "/" + note.at("/metadata/name").stringValue(),
                        state(note.at("/metadata/uid").stringValue(), note.at("/metadata/resourceVersion").stringValue(),
                                note.at("/data/v").stringValue())));
        return all;
    }

    private static Map<String, String> cached(Informer<V1ConfigMap> informer) {
        var all = new TreeMap<String, String>();
        informer.lister().list().forEach(note -> all.put(note.getMetadata().getNamespace() + "/" + note.getMetadata().getName(),
                state(note.getMetadata().getUid(), note.getMetadata().getResourceVersion(), note.getData().get("v"))));
        return all;
    }

    private static String state(String uid, String version, String value) {
        return uid + "@" + version + "=" + value;
    }

    private void change(Random random) {
        String namespace = NAMESPACES.get(random.nextInt(NAMESPACES.size()));
        String name = "n" + random.nextInt(4);
        if (random.nextInt(4) == 0 && server.objects().get(NOTES, ObjectKey.of(namespace, name)).isPresent()) {
            server.objects().delete(NOTES, ObjectKey.of(namespace, name));
        } else {
            write(namespace, name, random.nextInt(1000));
        }
    }

    /** Some histories go past our version before we look, some do not; some of what was changed is changed alike. */
    @Test
    void theCacheEqualsARestoredStoreWithinAMinute() {
        long first = Long.getLong("restored.seed", 7);
        for (long seed = first; seed < first + Integer.getInteger("restored.seeds", 40); seed++) {
            var random = new Random(seed);
            Stream.generate(() -> random).limit(random.nextInt(20)).forEach(this::change);
            Map<String, Informer<V1ConfigMap>> caches = caches();
            Backup backup = server.backup();
            int lost = 1 + random.nextInt(12);
            Stream.generate(() -> random).limit(lost).forEach(this::change);
            time.advanceTimeBy(Duration.ofSeconds(1));
            check(caches, seed, "before");

            server.restore(backup);
            Stream.generate(() -> random).limit(random.nextInt(2 * lost + 2)).forEach(this::change);
            time.advanceTimeBy(MINUTE);
            check(caches, seed, "after");
        }
    }

    /** The deletion is all that the restored store lacks. */
    @Test
    void aDeletionThatWasNeverDoneIsNoticed() {
        write("a", "kept", 1);
        write("a", "gone", 1);
        Map<String, Informer<V1ConfigMap>> caches = caches();
        Backup backup = server.backup();
        server.objects().delete(NOTES, ObjectKey.of("a", "gone"));
        time.advanceTimeBy(Duration.ofSeconds(1));
        server.restore(backup);
        write("b", "else", 1);
        write("b", "else", 2);
        time.advanceTimeBy(MINUTE);
        check(caches, 0, "after");
    }

    @Test
    void aBreakWhereAllIsWellCostsOneSmallRequestAndNoList() {
        assertThat(askedAfterABreak(Selector.any())).contains("resourceVersionMatch=Exact", "limit=100&").doesNotContain("metadata.name");
    }

    /** The server would have to search for the selected objects. */
    @Test
    void aBreakOfASelectiveWatchCostsOneRequestForOneObject() {
        assertThat(askedAfterABreak(Selector.labels("a!=b"))).contains("resourceVersionMatch=Exact", "limit=1&", "metadata.name");
    }

    /** What is asked before the watch is resumed. */
    private String askedAfterABreak(Selector selector) {
        write("a", "x", 1);
        write("a", "y", 1);
        Informer<V1ConfigMap> notes = informers.of(InformerSpec.of(NOTES).withNamespaces(Namespaces.of("a")).withSelector(selector));
        server.faults().onWatch("configmaps").after(1).events().cut(Cut.RST);
        informers.start();
        time.advanceTimeBy(Duration.ofSeconds(1));
        server.requests().clear();
        write("a", "x", 2);
        time.advanceTimeBy(Duration.ofSeconds(5));
        write("a", "y", 3);
        time.advanceTimeBy(Duration.ofSeconds(5));
        assertThat(cached(notes)).isEqualTo(stored("a"));
        assertThat(server.requests().all()).hasSize(2);
        return server.requests().all().get(0).uri() + "&";
    }

    /**
     * In the pause before that list nothing is open that would break. An object of the same uid and version, with other content, is no
     * other object to a list.
     */
    @Test
    void aStoreThatIsRestoredInThePauseAfterAnExpiredVersionIsNoticed() {
        write("a", "x", 1);
        Backup backup = server.backup();
        write("a", "x", 2);
        Informer<V1ConfigMap> notes = informers.of(NOTES, Namespaces.of("a"));
        server.faults().onWatch("configmaps").expire();
        informers.start();
        time.advanceTimeBy(Duration.ofMillis(500));
        assertThat(cached(notes)).isEqualTo(stored("a"));
        server.restore(backup);
        write("a", "x", 3);
        write("b", "y", 1);
        time.advanceTimeBy(MINUTE);
        assertThat(cached(notes)).isEqualTo(stored("a"));
    }

    private Map<String, Informer<V1ConfigMap>> caches() {
        var caches = new TreeMap<String, Informer<V1ConfigMap>>();
        caches.put("", informers.of(NOTES));
        NAMESPACES.forEach(namespace -> caches.put(namespace, informers.of(NOTES, Namespaces.of(namespace))));
        informers.start();
        time.advanceTimeBy(MINUTE);
        return caches;
    }

    private void check(Map<String, Informer<V1ConfigMap>> caches, long seed, String when) {
        caches.forEach((namespace, informer) -> assertThat(cached(informer))
                .as("seed %d, %s the restore, namespace %s", seed, when, namespace)
                .isEqualTo(stored(namespace.isEmpty() ? null : namespace)));
    }
}
