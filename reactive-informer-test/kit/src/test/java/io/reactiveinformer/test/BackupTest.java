package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.Backup;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What is read from a backup's text, and what is not. */
class BackupTest {

    private static final String WIDGET = "{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}}";

    private static int widgets(String backup) {
        try (FakeApiServer other = FakeApiServer.create()) {
            other.restore(Backup.parse(backup));
            return new Requests(other.transport()).get("/apis/example.com/v1/widgets").json().path("items").size();
        }
    }

    @Test
    void aTypeIsServedWhateverConditionsItsDefinitionWasMadeWith() {
        try (FakeApiServer server = FakeApiServer.create()) {
            server.objects().create(Widgets.DEFINITION
                    + "status: {conditions: [{type: NamesAccepted, status: 'True'}, {type: Established, status: 'False'}]}");
            server.objects().create(WIDGET);
            assertThat(widgets(server.backup().text())).isEqualTo(1);
        }
    }

    @Test
    void aTypeThatHasObjectsIsServedThoughItsDefinitionWasReplaced() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        try (FakeApiServer server = FakeApiServer.builder().scheduler(clock).establishing(Duration.ofMinutes(1)).build()) {
            server.objects().create(Widgets.DEFINITION);
            clock.advanceTimeBy(Duration.ofMinutes(1));
            server.objects().create(WIDGET);
            server.objects().update(Widgets.DEFINITION);
            assertThat(widgets(server.backup().text())).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "{", "[]", "null", "{}", "{\"version\":\"1\",\"objects\":[]}", "{\"version\":1}",
        "{\"version\":1,\"objects\":[7]}",
        "{\"version\":1,\"objects\":[{\"type\":\"pods\"}]}",
        "{\"version\":1,\"objects\":[{\"type\":\"pods\",\"object\":\"p\"}]}",
        "{\"version\":1,\"objects\":[{\"type\":\"pods\",\"object\":{\"metadata\":{\"name\":\"p\",\"resourceVersion\":\"new\"}}}]}",
        "{\"version\":1,\"objects\":[{\"type\":\"pods\",\"object\":{\"metadata\":{\"name\":\"p\",\"resourceVersion\":\"1\","
                + "\"deletionTimestamp\":\"soon\"}}}]}",
        "{\"version\":1,\"objects\":[{\"type\":\"pods\",\"object\":{\"metadata\":{\"name\":\"p\",\"resourceVersion\":\"1\","
                + "\"creationTimestamp\":7}}}]}",
        "{\"version\":1,\"objects\":[{\"type\":\"widgets.example.com\",\"object\":{}}]}",
        "{\"version\":1,\"objects\":[{\"type\":\"customresourcedefinitions.apiextensions.k8s.io\","
                + "\"object\":{\"spec\":{\"versions\":[{\"selectableFields\":[{}]}]}}}]}"
    })
    void whatIsNoBackupIsRefusedWithAReason(String text) {
        assertThatThrownBy(() -> Backup.parse(text)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("backup");
    }
}
