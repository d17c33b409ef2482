package io.reactiveinformer.test;

import io.reactiveinformer.transport.Headers;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** Types that come and go; recordings 20 and 21 are what the real server does. */
class CustomTypesTest {

    @Test
    void servesACustomTypeOnlyOnceItsDefinitionIsEstablished() {
        var time = VirtualTimeScheduler.create();
        try (FakeApiServer slow = FakeApiServer.builder().scheduler(time).establishing(Duration.ofMillis(30)).build()) {
            var asked = new Requests(slow.transport());
            String definition = "{\"metadata\":{\"name\":\"widgets.example.com\"},\"spec\":{\"group\":\"example.com\",\"scope\":\"Cluster\","
                    + "\"names\":{\"plural\":\"widgets\",\"kind\":\"Widget\"},\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true}]}}";
            String definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
            assertThat(asked.post(definitions, definition).status()).isEqualTo(201);
            assertThat(asked.get("/apis/example.com/v1/widgets").status()).isEqualTo(404);
            assertThat(asked.get(definitions + "/widgets.example.com").json().path("status").path("conditions")).isEmpty();
            time.advanceTimeBy(Duration.ofMillis(30));
            assertThat(asked.get("/apis/example.com/v1/widgets").status()).isEqualTo(200);
            assertThat(asked.get(definitions + "/widgets.example.com").json().at("/status/conditions/1/type").asString()).isEqualTo("Established");
            asked.send("DELETE", definitions + "/widgets.example.com", Headers.empty(), null);
            assertThat(asked.post(definitions, definition).status()).isEqualTo(201);
            asked.send("DELETE", definitions + "/widgets.example.com", Headers.empty(), null);
            time.advanceTimeBy(Duration.ofSeconds(1));
            assertThat(asked.get("/apis/example.com/v1/widgets").status()).isEqualTo(404);
        }
    }
}
