package io.reactiveinformer.laws.reflector;

import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.faults.Cut;
import io.reactiveinformer.transport.TransportOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Law 9, among reflectors whose client lists once at a time: a list counts while the server sends it, not while a subscriber takes it. */
class TurnsTest {

    private static final ResourceType<JsonNode> CONFIG_MAPS = ResourceType.dynamic("", "v1", "configmaps");

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(clock).build();
    private final KubernetesClient client = KubernetesClient.over(server.transport(), ClientOptions.defaults().withListsAtOnce(1)
            .withTransport(TransportOptions.defaults().withSilence(Duration.ofSeconds(75), clock)));
    private final List<ReflectorEvent<JsonNode>> received = new ArrayList<>();

    @AfterEach
    void close() {
        server.close();
    }

    private Reflector<JsonNode> reflector(String namespace, boolean streaming, int pageSize) {
        return Reflector.of(ListerWatcher.over(client, CONFIG_MAPS, Namespaces.of(namespace)), ReflectorOptions.defaults()
                .withConsistency(ReflectorOptions.Consistency.MOST_RECENT) // in pages
                .withStreaming(streaming).withPageSize(pageSize).withTimer(clock));
    }

    private BaseSubscriber<ReflectorEvent<JsonNode>> slow(boolean streaming, int pageSize, int demand) {
        var slow = new BaseSubscriber<ReflectorEvent<JsonNode>>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                if (demand > 0) {
                    request(demand);
                }
            }
        };
        reflector("slow", streaming, pageSize).events().subscribe(slow);
        clock.advanceTimeBy(Duration.ZERO);
        return slow;
    }

    private void isNext(BaseSubscriber<ReflectorEvent<JsonNode>> slow) {
        reflector("next", false, 500).events().subscribe(received::add);
        clock.advanceTimeBy(Duration.ZERO);
        assertThat(received).hasOnlyElementsOfTypes(
                ReflectorEvent.ListingStarted.class, ReflectorEvent.ListingEnded.class, ReflectorEvent.Watching.class).hasSize(3);
        assertThat(slow.isDisposed()).isFalse();
        slow.cancel();
    }

    private void create(int count) {
        for (int i = 0; i < count; i++) {
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: c" + i + ", namespace: slow}}");
        }
    }

    /** Even if the subscriber has requested none of its objects, or not even that a list begins. */
    @ParameterizedTest(name = "streaming list: {0}, in pages of {1}, demand {2}")
    @CsvSource({"false, 2, 2", "false, 500, 2", "true, 500, 2", "false, 500, 1", "true, 500, 1", "false, 500, 0", "true, 500, 0"})
    void aPlaceIsFreeWhenTheServerHasSentAll(boolean streaming, int pageSize, int demand) {
        create(4);
        isNext(slow(streaming, pageSize, demand));
    }

    /** Its tokens would expire in a long line. */
    @Test
    void aListThatHasBegunGoesBeforeOthers() {
        create(4);
        server.faults().onList("configmaps").always().delay(Duration.ofSeconds(1));
        slow(false, 2, Integer.MAX_VALUE);
        reflector("next", false, 500).events().subscribe(received::add);
        clock.advanceTimeBy(Duration.ofSeconds(2));
        assertThat(received).hasOnlyElementsOfType(ReflectorEvent.ListingStarted.class);
        clock.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(received).hasSize(3);
    }

    /** It takes no time, and until it has come, no watch is open. */
    @Test
    void aProofGoesBeforeLists() {
        server.faults().onWatch("configmaps").in("proved").after(1).events().cut(Cut.RST);
        reflector("proved", false, 500).events().subscribe(received::add);
        clock.advanceTimeBy(Duration.ZERO);
        server.faults().onList("configmaps").always().delay(Duration.ofSeconds(1));
        slow(false, 500, Integer.MAX_VALUE);
        reflector("next", false, 500).events().subscribe();
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: proved}}");
        clock.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(received.get(received.size() - 1)).isInstanceOf(ReflectorEvent.Disrupted.class);
        clock.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(received.get(received.size() - 1)).isInstanceOf(ReflectorEvent.Watching.class);
    }

    @Test
    void aPlaceIsFreeWhenTheListFails() {
        create(4);
        server.faults().onList("configmaps").in("slow").garble();
        isNext(slow(false, 500, 2));
    }
}
