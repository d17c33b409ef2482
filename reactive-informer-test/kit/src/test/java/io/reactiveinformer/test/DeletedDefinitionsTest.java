package io.reactiveinformer.test;

import io.reactiveinformer.transport.HttpRequest.Headers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class DeletedDefinitionsTest {

    private static final String DEFINITION = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com";
    private static final String WIDGETS = "/apis/example.com/v1/widgets";

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(time).with(Widgets.DEFINITION).build();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    private int status(String method, String uri) {
        int status = requests.send(method, uri, Headers.of("Accept", "application/json"), null).status();
        time.advanceTime();
        return status;
    }

    @Test
    void waitForObjectsThatHaveFinalizers() {
        requests.post(WIDGETS, "{\"metadata\":{\"name\":\"kept\",\"finalizers\":[\"example.com/f\"]}}");
        requests.post(WIDGETS, "{\"metadata\":{\"name\":\"free\"}}");
        assertThat(status("DELETE", DEFINITION)).isEqualTo(200);
        JsonNode definition = requests.get(DEFINITION).json();
        assertThat(definition.at("/metadata/deletionTimestamp").isMissingNode()).isFalse();
        assertThat(definition.at("/metadata/finalizers/0").asString()).isEqualTo("customresourcecleanup.apiextensions.k8s.io");
        assertThat(definition.at("/status/conditions").valueStream().map(condition -> condition.path("type").asString()))
                .contains("Terminating");
        assertThat(status("GET", WIDGETS + "/free")).isEqualTo(404);
        assertThat(requests.get(WIDGETS + "/kept").json().at("/metadata/deletionTimestamp").isMissingNode()).isFalse();

        Requests.Answered late = requests.post(WIDGETS, "{\"metadata\":{\"name\":\"late\"}}");
        assertThat(late.status()).isEqualTo(403);
        assertThat(late.json().path("message").asString())
                .isEqualTo("widgets.example.com \"late\" is forbidden: create not allowed while custom resource definition is terminating");

        requests.send("PATCH", WIDGETS + "/kept", Headers.of("Content-Type", "application/merge-patch+json"),
                "{\"metadata\":{\"finalizers\":null}}");
        time.advanceTime();
        assertThat(status("GET", DEFINITION)).isEqualTo(404);
        assertThat(status("GET", WIDGETS)).isEqualTo(404);
    }

    @Test
    void goAtOnceIfNothingHoldsTheirObjects() {
        requests.post(WIDGETS, "{\"metadata\":{\"name\":\"free\"}}");
        assertThat(requests.send("DELETE", DEFINITION, Headers.of("Accept", "application/json"), null).status()).isEqualTo(200);
        assertThat(requests.get(DEFINITION).status()).isEqualTo(404);
        assertThat(requests.get(WIDGETS).status()).isEqualTo(404);
    }
}
