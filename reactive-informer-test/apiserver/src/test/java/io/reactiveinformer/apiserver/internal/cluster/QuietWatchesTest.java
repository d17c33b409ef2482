package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.OnDemandScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** A watch of one namespace is not woken by the changes of others, but for the few times that keep its place in the log. */
class QuietWatchesTest {

    private static final int HISTORY = 100;

    private final Cluster cluster = new Cluster(HISTORY, () -> Instant.EPOCH, 1);
    private final Writes writes = cluster.open(new OnDemandScheduler(), Duration.ZERO, Duration.ZERO);
    private final ResourceDefinition configMaps = cluster.types().find("", "configmaps").orElseThrow();
    private final AtomicInteger woken = new AtomicInteger();

    private void create(String namespace, String name) {
        writes.create(configMaps, namespace, (ObjectNode) Json.read("{\"metadata\":{\"name\":\"" + name + "\"}}"), WriteOptions.TRUSTED);
    }

    @Test
    void changesElsewhereWakeItRarelyAndDoNotExpireIt() {
        EventCursor[] cursor = new EventCursor[1];
        cursor[0] = cluster.followPresent(configMaps, Selection.namespace("quiet"), () -> {
            woken.incrementAndGet();
            assertThat(cursor[0].poll(10).over()).isFalse();
        });
        for (int i = 0; i < 10 * HISTORY; i++) {
            create("busy", "object-" + i);
        }
        assertThat(woken).hasValueBetween(10, 30);
    }

    @Test
    void aChangeOfItsNamespaceWakesIt() {
        EventCursor cursor = cluster.followPresent(configMaps, Selection.namespace("quiet"), woken::incrementAndGet);
        create("quiet", "first");
        assertThat(woken).hasValue(1);
        assertThat(cursor.poll(10).events()).singleElement().extracting(event -> event.after().name()).isEqualTo("first");
        cluster.restart();
        assertThat(woken).hasValue(2);
        assertThat(cursor.poll(10).over()).isTrue();
    }
}
