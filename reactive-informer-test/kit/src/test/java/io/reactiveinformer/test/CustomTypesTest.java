package io.reactiveinformer.test;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Types that come and go; recordings 20 and 21 are what the real server does. */
class CustomTypesTest {

    private record Widget(@Nullable String apiVersion, @Nullable String kind, V1ObjectMeta metadata) {}

    @Test
    void recordsOfUsersAreWrittenIfTheySayWhatTheyAre() {
        V1ObjectMeta named = new V1ObjectMeta().name("w");
        String definition = Widgets.definition("Cluster", Widgets.version("v1", true, "{type: object}"));
        try (FakeApiServer server = FakeApiServer.builder().with(definition).build()) {
            assertThat(server.objects().create(new Widget("example.com/v1", "Widget", named)).at("/metadata/uid").asString()).isNotEmpty();
            assertThatThrownBy(() -> server.objects().create(new Widget(null, "Widget", named)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a Widget without apiVersion and kind cannot be written: set both");
        }
    }

    /** The example of the documentation; the definition has them in the order of the alphabet. */
    @Test
    void prefersVersionsAsTheDocumentationSays() {
        List<String> preferred = List.of("v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10");
        String[] versions = preferred.stream().sorted().map(name -> Widgets.version(name, name.equals("v1"), "{type: object}"))
                .toArray(String[]::new);
        try (FakeApiServer server = FakeApiServer.builder().with(Widgets.definition("Cluster", versions)).build()) {
            JsonNode group = new Requests(server.transport()).get("/apis/example.com").json();
            assertThat(group.path("versions").findValuesAsString("version")).isEqualTo(preferred);
            assertThat(group.path("preferredVersion").path("version").asString()).isEqualTo("v10");
        }
    }

    @Test
    void servesACustomTypeOnlyOnceItsDefinitionIsEstablished() {
        var time = VirtualTimeScheduler.create();
        try (FakeApiServer slow = FakeApiServer.builder().scheduler(time).establishing(Duration.ofMillis(30)).build()) {
            var asked = new Requests(slow.transport());
            String definition =
                    "{\"metadata\":{\"name\":\"widgets.example.com\"},\"spec\":{\"group\":\"example.com\",\"scope\":\"Cluster\","
                    + "\"names\":{\"plural\":\"widgets\",\"kind\":\"Widget\"},\"versions\":[{\"name\":\"v1\",\"served\":true,"
                    + "\"storage\":true,\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\"}}}]}}";
            String definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
            assertThat(asked.post(definitions, definition).status()).isEqualTo(201);
            assertThat(asked.get("/apis/example.com/v1/widgets").status()).isEqualTo(404);
            assertThat(asked.get(definitions + "/widgets.example.com").json().path("status").path("conditions")).isEmpty();
            time.advanceTimeBy(Duration.ofMillis(30));
            assertThat(asked.get("/apis/example.com/v1/widgets").status()).isEqualTo(200);
            assertThat(asked.get(definitions + "/widgets.example.com").json().at("/status/conditions/1/type").asString())
                    .isEqualTo("Established");
            asked.send("DELETE", definitions + "/widgets.example.com", Headers.empty(), null);
            assertThat(asked.post(definitions, definition).status()).isEqualTo(201);
            asked.send("DELETE", definitions + "/widgets.example.com", Headers.empty(), null);
            time.advanceTimeBy(Duration.ofSeconds(1));
            assertThat(asked.get("/apis/example.com/v1/widgets").status()).isEqualTo(404);
        }
    }
}
