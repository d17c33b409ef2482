package io.reactiveinformer.sharding;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.DeleteOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.transport.TransportOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Selector.Shards of all objects, from a server that selects them and from one that does not know the parameter. */
class ShardSelectorTest {

    private static final ResourceType<V1ConfigMap> IMAGES = ResourceType.of(V1ConfigMap.class);
    private static final int COUNT = 200;
    private static final int REPLICAS = 5;

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.getOrSet();
    private final List<FakeApiServer> servers = new ArrayList<>();

    @AfterEach
    void end() {
        servers.forEach(FakeApiServer::close);
        VirtualTimeScheduler.reset();
    }

    private FakeApiServer server(boolean selects) {
        FakeApiServer.Builder builder = FakeApiServer.builder().scheduler(clock);
        FakeApiServer server = (selects ? builder.shardSelectors() : builder).build();
        servers.add(server);
        server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: prod}}");
        for (int i = 0; i < COUNT; i++) {
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: prod, name: image-"
                    + i + "}, data: {of: '" + "x".repeat(2_000) + "'}}");
        }
        return server;
    }

    /** With an informer of one shard. */
    private final class Replica {
        final CountingTransport transport;
        final KubernetesClient client;
        final Informer<V1ConfigMap> images;
        int decoded;

        Replica(FakeApiServer server, Selector selector) {
            transport = new CountingTransport(server.transport());
            client = KubernetesClient.over(transport, ClientOptions.defaults()
                    .withTransport(TransportOptions.defaults().withSilence(Duration.ofMinutes(1), clock)).withListsAtOnce(0));
            InformerFactory informers = InformerFactory.create(client, ReflectorOptions.defaults().withTimer(clock));
            images = informers.of(InformerSpec.of(IMAGES).withSelector(selector).withTransform(image -> {
                decoded++;
                return image;
            }));
            informers.start();
            clock.advanceTimeBy(Duration.ofSeconds(1));
        }

        Set<String> names() {
            Set<String> names = new TreeSet<>();
            images.snapshot().forEach((key, image) -> names.add(key.name()));
            return names;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void replicasHoldEachObjectOnceWhetherOrNotTheServerSelects(boolean selects) {
        FakeApiServer server = server(selects);
        List<Replica> replicas = IntStream.range(0, REPLICAS)
                .mapToObj(index -> new Replica(server, Selector.shards(Selector.Shards.byUid(index, REPLICAS)))).toList();
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: prod, name: late}}");
        server.objects().delete(IMAGES, ObjectKey.of("prod", "image-7"));
        clock.advanceTimeBy(Duration.ofSeconds(1));

        assertThat(replicas.stream().flatMap(replica -> replica.names().stream())).doesNotHaveDuplicates().hasSize(COUNT)
                .contains("late").doesNotContain("image-7");
        assertThat(replicas).allMatch(replica -> replica.images.snapshot().complete());
        assertThat(replicas.stream().mapToInt(replica -> replica.decoded).sum()).as("each once, and what happened")
                .isBetween(COUNT, COUNT + 2);
    }

    @Test
    void aServerThatSelectsSendsOnlyWhatIsMeant() {
        var all = new Replica(server(false), Selector.any());
        var passedBy = new Replica(server(false), Selector.shards(Selector.Shards.byUid(0, REPLICAS)));
        var selected = new Replica(server(true), Selector.shards(Selector.Shards.byUid(0, REPLICAS)));

        assertThat(passedBy.names()).isEqualTo(selected.names());
        assertThat(passedBy.transport.bytes().get()).isGreaterThan(all.transport.bytes().get() * 9 / 10);
        assertThat(selected.transport.bytes().get()).isLessThan(all.transport.bytes().get() / 3);
        assertThat(List.of(all.decoded, passedBy.decoded, selected.decoded))
                .containsExactly(COUNT, selected.names().size(), selected.names().size());
    }

    @Test
    void theServerRefusesWhatItCannotReadAndTellsWhatItSelectedBy() {
        FakeApiServer server = server(true);
        String path = "/api/v1/namespaces/prod/configmaps?shardSelector=";
        var client = new Replica(server, Selector.any()).client.raw();
        assertThat(client.json(path + "shardRange(object.metadata.name,%20'0x0000000000000000',%20'0x8000000000000000')").toFuture())
                .isCompletedExceptionally();
        String half = "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')";
        assertThat(client.json(path + half.replace(" ", "%20"))
                .map(list -> list.path("metadata").path("shardInfo").path("selector").asString()).toFuture())
                .isCompletedWithValue(half);
    }

    @Test
    void nothingIsDeletedByShards() {
        var replica = new Replica(server(true), Selector.any());
        ListOptions shard = ListOptions.defaults().withSelector(Selector.shards(Selector.Shards.byUid(0, 2)));
        assertThatThrownBy(() -> replica.client.resources(IMAGES).deleteAll(Namespaces.of("prod"), shard, DeleteOptions.defaults()))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("one by one");
    }
}
