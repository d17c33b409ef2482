package io.reactiveinformer.test;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.netty.buffer.ByteBuf;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.netty.http.client.HttpClient;

import static org.assertj.core.api.Assertions.assertThat;

/** Streaming lists as servers from 1.37 on compress them: each event a gzip member of its own. */
@Timeout(120)
class CompressedStreamingListTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int OBJECTS = 300;
    private static final String CONFIG_MAPS = "/api/v1/configmaps?watch=true&allowWatchBookmarks=true&timeoutSeconds=1";
    private static final String STREAMING = "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";

    private FakeApiServer server = FakeApiServer.builder().compressedStreamingLists().build();
    private @TempDir Path home;

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void anInformerReadsThemOverHttp1() {
        fill();
        follow(ClusterConfig.of(server.start().url()));
    }

    @Test
    void anInformerReadsThemOverHttp2() throws IOException {
        server.close();
        server = FakeApiServer.builder().compressedStreamingLists().tls().build();
        fill();
        server.start();
        follow(ClusterConfig.kubeconfig(Files.writeString(home.resolve("config"), server.kubeconfig())));
    }

    private void fill() {
        for (int i = 0; i < OBJECTS; i++) {
            create("c" + i);
        }
    }

    private void create(String name) {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name
                + ", namespace: t}, data: {k: '" + "x".repeat(200) + "'}}");
    }

    private void follow(ClusterConfig config) {
        KubernetesClient client = KubernetesClient.create(config);
        try (InformerFactory informers = InformerFactory.create(client, ReflectorOptions.defaults().withStreaming(true))) {
            Informer<V1ConfigMap> informer = informers.of(ResourceType.of(V1ConfigMap.class));
            informers.start();
            informer.synced(PATIENCE).block(PATIENCE);
            assertThat(informer.lister().count()).isEqualTo(OBJECTS);
            for (int i = 0; i < OBJECTS; i++) {
                create("late" + i);
            }
            var last = ObjectKey.of("t", "late" + (OBJECTS - 1));
            assertThat(informer.await(last, found -> true).block(PATIENCE)).isNotNull();
            assertThat(informer.lister().count()).isEqualTo(2 * OBJECTS);
        } finally {
            client.close();
        }
        assertThat(server.requests().all()).as("all came in the one stream").singleElement()
                .satisfies(asked -> assertThat(asked.verb()).isEqualTo(Verb.WATCH));
    }

    @Test
    void eachEventIsAMemberAndSomeAreCut() throws IOException {
        fill();
        List<byte[]> pieces = new ArrayList<>();
        String encoding = get(CONFIG_MAPS + STREAMING, true, pieces);
        assertThat(encoding).isEqualTo("gzip");
        long members = pieces.stream().filter(piece -> piece.length > 1 && piece[0] == 0x1f && piece[1] == (byte) 0x8b).count();
        assertThat(pieces).hasSizeGreaterThan(OBJECTS + 1);
        assertThat(members).isLessThanOrEqualTo(OBJECTS + 1L).isGreaterThan(OBJECTS / 2);
        byte[] all = new byte[pieces.stream().mapToInt(piece -> piece.length).sum()];
        int at = 0;
        for (byte[] piece : pieces) {
            System.arraycopy(piece, 0, all, at, piece.length);
            at += piece.length;
        }
        String text = new String(new GZIPInputStream(new ByteArrayInputStream(all)).readAllBytes(), StandardCharsets.UTF_8);
        assertThat(text.lines()).hasSize(OBJECTS + 1).last().asString().contains("initial-events-end");
    }

    @Test
    void otherWatchesAndOtherClientsGetThemAsTheyAre() {
        fill();
        assertThat(get(CONFIG_MAPS + "&resourceVersion=0", true, new ArrayList<>())).isEqualTo("none");
        assertThat(get(CONFIG_MAPS + STREAMING, false, new ArrayList<>())).isEqualTo("none");
    }

    private String get(String uri, boolean accept, List<byte[]> pieces) {
        return HttpClient.create()
                .headers(headers -> headers.set("Accept-Encoding", accept ? "gzip" : "identity"))
                .get()
                .uri(server.start().url() + uri)
                .response((response, body) -> body.map(CompressedStreamingListTest::copy)
                        .doOnNext(pieces::add)
                        .thenMany(Flux.just(response.responseHeaders().get("Content-Encoding", "none"))))
                .blockLast(PATIENCE);
    }

    private static byte[] copy(ByteBuf piece) {
        byte[] bytes = new byte[piece.readableBytes()];
        piece.readBytes(bytes);
        return bytes;
    }
}
