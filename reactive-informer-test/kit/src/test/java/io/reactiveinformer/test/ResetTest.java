package io.reactiveinformer.test;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.faults.Fault;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** A server that is reset between two tests has nothing left of the first one, not even what was still under way. */
class ResetTest {

    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final ResourceType<JsonNode> TYPE = ResourceType.dynamic("", "v1", "configmaps");

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(clock).build();
    private final Requests requests = new Requests(server.transport());
    private final List<String> ends = new ArrayList<>();

    @AfterEach
    void close() {
        server.close();
    }

    private void follow(String method, String uri, String body) {
        requests.answer(method, uri, Headers.empty(), body)
                .subscribe(answer -> ends.add(answer.status() + ""), failure -> ends.add(failure.getClass().getSimpleName()));
    }

    @Test
    void aWriteThatAFaultHoldsUpIsNotCarriedOut() {
        server.faults().on("create", "configmaps").delay(Duration.ofSeconds(3));
        follow("POST", CONFIG_MAPS, "{\"metadata\":{\"name\":\"late\"}}");
        server.reset();
        assertThat(ends).containsExactly("TransportException");
        clock.advanceTimeBy(Duration.ofSeconds(5));
        assertThat(server.objects().list(TYPE)).isEmpty();
    }

    @Test
    void whatAFaultLetsHangIsBroken() {
        server.faults().onWatch("configmaps").stall();
        server.faults().onList("configmaps").after(10).bytes().stall();
        follow("GET", CONFIG_MAPS + "?watch=true", null);
        follow("GET", CONFIG_MAPS, null);
        server.reset();
        assertThat(ends).containsExactly("TransportException", "TransportException");
    }

    @Test
    void aFaultThatWasUnderWayDoesNotHappenAfterwards() {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}");
        List<Fault.Occurrence> happened = new ArrayList<>();
        server.faults().onWatch("configmaps").after(2).events().truncate().occurrences().subscribe(happened::add);
        follow("GET", CONFIG_MAPS + "?watch=true&resourceVersion=0", null);
        clock.advanceTimeBy(Duration.ofSeconds(1));
        server.reset();
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}");
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}");
        clock.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(happened).isEmpty();
        assertThat(ends).containsExactly("TransportException");
        assertThat(server.log()).isEmpty();
    }

    @Test
    void aDeletionThatWasUnderWayTouchesNothingNew() {
        String namespace = "{apiVersion: v1, kind: Namespace, metadata: {name: t}}";
        server.objects().create(namespace);
        server.objects().delete(ResourceType.dynamic("", "v1", "namespaces"), ObjectKey.of(null, "t"));
        server.reset();
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t}}");
        clock.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(server.objects().list(TYPE)).hasSize(1);
    }

    @Test
    void anUntouchedWatchEndsInOrder() {
        follow("GET", CONFIG_MAPS + "?watch=true", null);
        clock.advanceTimeBy(Duration.ofSeconds(1));
        server.reset();
        clock.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(ends).containsExactly("200");
    }
}
