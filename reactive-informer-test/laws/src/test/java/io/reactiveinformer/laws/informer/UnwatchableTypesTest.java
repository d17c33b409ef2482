package io.reactiveinformer.laws.informer;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.faults.Fault;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Types as those of {@code metrics.k8s.io}, which the server lists but does not watch. */
@Timeout(60)
class UnwatchableTypesTest {

    private static final ResourceType<JsonNode> NOTES = ResourceType.dynamic("", "v1", "configmaps");
    private static final Duration PERIOD = Duration.ofSeconds(30);

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(time).build();
    private final KubernetesClient client = KubernetesClient.over(server.transport());
    private final ReflectorOptions options = ReflectorOptions.defaults().withTimer(time);

    UnwatchableTypesTest() {
        server.faults().onWatch("configmaps").always()
                .status(405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
        note("a", 1);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
        time.dispose();
    }

    private void note(String name, int value) {
        String note = "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: prod}, data: {v: '" + value + "'}}";
        if (server.objects().get(NOTES, ObjectKey.of("prod", name)).isPresent()) {
            server.objects().update(note);
        } else {
            server.objects().create(note);
        }
    }

    @Test
    void theStatusSaysThatTheTypeCannotBeWatchedAndWhatToDo() {
        InformerFactory informers = InformerFactory.create(client, options);
        Informer<JsonNode> informer = informers.of(NOTES);
        List<InformerStatus> statuses = new ArrayList<>();
        informer.status(Delivery.conflated().on(time)).subscribe(statuses::add);
        informers.start();
        time.advanceTimeBy(Duration.ofMinutes(10));
        assertThat(informer.snapshot().size()).as("listed").isEqualTo(1);
        assertThat(statuses).filteredOn(status -> status.cause() != null).hasSizeGreaterThan(3).allSatisfy(status ->
                assertThat(status.cause()).isInstanceOf(InvalidRequestException.class).hasMessageContainingAll(
                        "405 MethodNotAllowed: cannot watch configmaps.v1 in all namespaces", "cannot be watched",
                        "ListerWatcher.polling("));
        assertThat(statuses).extracting(InformerStatus::state).doesNotContain(State.LIVE);
        informers.close();
    }

    @Test
    void listsByPeriodAreASource() {
        var source = ListerWatcher.polling(ListerWatcher.over(client, NOTES, Namespaces.all()), PERIOD, time);
        Informer<JsonNode> informer = Informer.over(source, options);
        List<String> changes = new ArrayList<>();
        informer.changes(Delivery.conflated().on(time)).subscribe(change -> changes.add(change.match(
                added -> "added " + added.key().name(),
                updated -> "updated " + updated.key().name() + " " + updated.before().at("/data/v").asString() + " to "
                        + updated.after().at("/data/v").asString(),
                deleted -> "deleted " + deleted.key().name() + " " + deleted.cause(),
                synced -> "synced")));
        informer.start();
        time.advanceTimeBy(Duration.ofSeconds(10));
        assertThat(changes).containsExactly("added a", "synced");
        assertThat(informer.status().blockFirst()).extracting(InformerStatus::state).isEqualTo(State.LIVE);

        note("a", 2);
        note("b", 1);
        time.advanceTimeBy(PERIOD);
        assertThat(changes).containsExactly("added a", "synced", "updated a 1 to 2", "added b");
        server.objects().delete(NOTES, ObjectKey.of("prod", "a"));
        time.advanceTimeBy(PERIOD);
        assertThat(changes).hasSize(5).endsWith("deleted a OBSERVED");
        int asked = server.requests().all().size();
        time.advanceTimeBy(Duration.ofHours(1));
        assertThat(changes).as("at rest").hasSize(5);
        assertThat(server.requests().all().size() - asked).as("one list each period").isBetween(115, 130);
        assertThat(informer.status().blockFirst()).extracting(InformerStatus::state).isEqualTo(State.LIVE);
    }

    @Test
    void itIsNotLiveWhileTheListsFail() {
        var source = ListerWatcher.polling(ListerWatcher.over(client, NOTES, Namespaces.all()), PERIOD, time);
        Informer<JsonNode> informer = Informer.over(source, options);
        informer.start();
        time.advanceTimeBy(Duration.ofSeconds(10));
        Fault refusal = server.faults().onList("configmaps").always().status(403, "Forbidden", "on command");
        time.advanceTimeBy(PERIOD);
        List<State> states = new ArrayList<>();
        informer.status(Delivery.conflated().on(time)).subscribe(status -> states.add(status.state()));
        time.advanceTimeBy(Duration.ofMinutes(30));
        assertThat(states).isNotEmpty().doesNotContain(State.LIVE);
        note("c", 1);
        refusal.disarm();
        time.advanceTimeBy(Duration.ofMinutes(5));
        assertThat(states).endsWith(State.LIVE);
        assertThat(informer.snapshot().size()).isEqualTo(2);
    }

    /** Some sources end with an empty token; and a server that does not read tokens sends one page for ever. */
    @ParameterizedTest
    @CsvSource({"'', 1", "same, 0"})
    void aListEndsWithItsLastPageOrFails(String token, int cached) {
        var pages = new AtomicInteger();
        var source = new ListerWatcher.Forwarding<>(ListerWatcher.over(client, NOTES, Namespaces.all())) {
            @Override
            public Flux<ObjectEvent<JsonNode>> list(ListOptions options, Reading<JsonNode> reading) {
                if (pages.incrementAndGet() > 100) {
                    throw new IllegalStateException("lists without end");
                }
                return super.list(ListOptions.defaults(), reading).map(event ->
                        event instanceof ObjectEvent.PageEnd<JsonNode> end ? new ObjectEvent.PageEnd<>(end.resourceVersion(), token)
                                : event);
            }
        };
        Informer<JsonNode> informer = Informer.over(ListerWatcher.polling(source, PERIOD, time), options);
        informer.start();
        time.advanceTimeBy(Duration.ofSeconds(10));
        assertThat(informer.snapshot().size()).isEqualTo(cached);
        assertThat(pages).hasValueLessThan(20);
        informer.stop();
    }

    @Test
    void aPeriodIsAtLeastASecond() {
        var source = ListerWatcher.over(client, NOTES, Namespaces.all());
        assertThatThrownBy(() -> ListerWatcher.polling(source, Duration.ofMillis(10)))
                .hasMessage("the period must be at least 1s, was PT0.01S");
    }
}
