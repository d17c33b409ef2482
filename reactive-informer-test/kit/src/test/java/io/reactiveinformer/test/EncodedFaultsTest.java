package io.reactiveinformer.test;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.apiserver.internal.protobuf.ProtobufException;
import io.reactiveinformer.apiserver.internal.server.EventBytes;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Faults and refusals for clients that do not ask for JSON. */
class EncodedFaultsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String YAML = "application/yaml";
    private static final String CONFIG_MAPS = "/api/v1/configmaps";
    private static final String WATCH = CONFIG_MAPS + "?watch=true&resourceVersion=0&timeoutSeconds=1";

    private final FakeApiServer server = FakeApiServer.create();
    private final Requests requests = new Requests(server.transport());

    @BeforeEach
    void create() {
        List.of("a", "b", "c")
                .forEach(name -> server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}}"));
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Requests.Answered get(String uri, String accept) {
        return requests.send("GET", uri, Headers.of("Accept", accept), null);
    }

    private List<String> watched(String uri) {
        return get(uri, PROTOBUF + ";stream=watch").body().lines().map(EncodedFaultsTest::word).toList();
    }

    private static String word(String line) {
        JsonNode event = JsonMapper.shared().readTree(line);
        JsonNode object = event.path("object");
        return event.path("type").asString() + " " + object.path("metadata").path("name").asString(object.path("code").asString(""));
    }

    @ParameterizedTest
    @ValueSource(strings = {PROTOBUF, YAML, "application/json"})
    void aRefusalIsWrittenAsItsRequestWantsIt(String accept) {
        server.faults().onList("configmaps").status(500, "InternalError", "on command");
        server.faults().onList("configmaps").notReady();
        server.faults().onList("configmaps").expire();
        for (int code : new int[] {500, 503, 410}) {
            Requests.Answered refused = get(CONFIG_MAPS, accept);
            assertThat(refused.headers().first("Content-Type")).contains(accept);
            assertThat(refused.status()).isEqualTo(code);
            assertThat(refused.json().path("code").asInt()).isEqualTo(code);
            assertThat(refused.headers().first("Retry-After").isPresent()).isEqualTo(code == 503);
        }
        Requests.Answered missing = get("/api/v1/namespaces/default/configmaps/none", accept);
        assertThat(missing.headers().first("Content-Type")).contains(accept);
        assertThat(missing.json().path("reason").asString()).isEqualTo("NotFound");
        server.access().deny("list", "configmaps");
        assertThat(get(CONFIG_MAPS, accept).headers().first("Content-Type")).contains(accept);
    }

    @Test
    void anExpiredWatchSaysSoInItsEncoding() {
        server.faults().onWatch("configmaps").after(1).events().expire();
        assertThat(watched(WATCH)).containsExactly("ADDED a", "ERROR 410");
        assertThat(server.log()).anyMatch(line -> line.endsWith("  watch configmaps: 200, then ERROR 410"));
    }

    /** Who would take either gets protocol buffers where there are some: refusals of a custom type are written so, its watches are not. */
    @Test
    void anExpiredWatchSaysSoInTheEncodingOfTheWatch() {
        server.objects().create(Widgets.DEFINITION);
        server.objects().create("{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}}");
        server.faults().onWatch("widgets.example.com").after(1).events().expire();
        Requests.Answered watched = get("/apis/example.com/v1/widgets?watch=true&resourceVersion=0&timeoutSeconds=1",
                PROTOBUF + ", application/json");
        assertThat(watched.headers().first("Content-Type")).contains("application/json");
        assertThat(watched.body().lines().map(EncodedFaultsTest::word)).containsExactly("ADDED w", "ERROR 410");
    }

    @Test
    void eventsAreReorderedAndDoubled() {
        server.faults().onWatch("configmaps").after(0).events().reorder();
        assertThat(watched(WATCH)).containsExactly("ADDED b", "ADDED a", "ADDED c");
        server.faults().onWatch("configmaps").after(1).events().duplicate();
        assertThat(watched(WATCH)).containsExactly("ADDED a", "ADDED b", "ADDED b", "ADDED c");
    }

    @Test
    void theEndOfAStreamingListIsWithheldAndNothingElse() {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: d, annotations: {k8s.io/initial-events-end: 'true'}}}");
        String uri = WATCH + "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
        server.faults().onWatch("configmaps").times(2).withholdInitialEventsEnd();
        assertThat(watched(uri)).containsExactly("ADDED a", "ADDED b", "ADDED c", "ADDED d");
        assertThat(get(uri, "application/json").body().lines()).hasSize(4);
        assertThat(watched(uri)).hasSize(5);
    }

    @Test
    void aGarbledEventCannotBeRead() {
        server.faults().onWatch("configmaps").after(1).events().garble();
        List<byte[]> events = server.transport()
                .exchange(HttpRequest.get(WATCH, Headers.of("Accept", PROTOBUF + ";stream=watch")),
                        answer -> answer.body().map(EncodedFaultsTest::bytes))
                .collectList()
                .block(PATIENCE);
        assertThat(events).hasSize(3);
        assertThat(EventBytes.read(Unpooled.wrappedBuffer(events.get(0)))).isPresent();
        assertThatThrownBy(() -> EventBytes.read(Unpooled.wrappedBuffer(events.get(1)))).isInstanceOf(ProtobufException.class);
        assertThat(EventBytes.read(Unpooled.wrappedBuffer(events.get(2)))).isPresent();
    }

    private static byte[] bytes(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.getBytes(buffer.readerIndex(), bytes);
        return bytes;
    }

    @Test
    void anAnswerIsWhatItWasWhenItWasSaid() {
        ObjectNode said = JsonMapper.shared().createObjectNode().put("apiVersion", "v1").put("kind", "ConfigMap");
        said.putObject("metadata").put("name", "pretended");
        server.faults().on("get", "configmaps").times(2).answer(said);
        said.withObject("/metadata").put("name", "changed meanwhile");
        assertThat(get("/api/v1/namespaces/default/configmaps/a", PROTOBUF).json().path("metadata").path("name").asString())
                .isEqualTo("pretended");
        Requests.Answered yaml = get("/api/v1/namespaces/default/configmaps/a", YAML);
        assertThat(yaml.headers().first("Content-Type")).contains(YAML);
        assertThat(yaml.json().path("metadata").path("name").asString()).isEqualTo("pretended");
    }

    @Test
    void anAnswerOfAKindWithoutProtocolBuffersIsJson() {
        server.faults().on("get", "configmaps").answer("{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}}");
        assertThat(get("/api/v1/namespaces/default/configmaps/a", PROTOBUF).headers().first("Content-Type")).contains("application/json");
    }
}
