package io.reactiveinformer.recordings;

import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.recordings.Recording.End;
import io.reactiveinformer.recordings.Recording.Exchange;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.StatusException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Every exchange of the recordings that are about requests, said to the client as a user would say it: it asks what was asked, byte for
 * byte where bytes matter, and tells what was answered.
 */
class RecordedCallsTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final JsonMapper JSON = RecordedCall.JSON;
    private static final Pattern TIME = Pattern.compile("(\"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8})\\.000000Z\"");

    static Stream<Arguments> exchanges() {
        return Stream.of("13-unauthorized", "14-forbidden", "15-not-found", "16-too-many-requests",
                "18-partial-object-metadata", "19-table",
                        "20-crd", "22-gzip", "23-writes", "24-discovery", "29-events", "30-leases", "36-cascades", "41-protobuf-cbor")
                .map(Recording::of)
                .flatMap(recording -> recording.exchanges().stream().map(exchange -> Arguments.of(recording.name(), exchange)));
    }

    static Stream<Arguments> writes() {
        return exchanges().filter(arguments -> {
            Exchange exchange = (Exchange) arguments.get()[1];
            return exchange.requestLine().matches("(POST|PUT) .*/(configmaps|pods|leases|events)(/[^/]*)? .*")
                    && exchange.status() / 100 == 2
                    && !exchange.title().contains("unknown field");
        });
    }

    @ParameterizedTest
    @MethodSource("exchanges")
    void asksWhatWasAskedAndTellsWhatWasAnswered(String recording, Exchange exchange) {
        String authorization = RecordedCall.header(exchange.requestText(), "Authorization");
        try (var server = ReplayServer.of(exchange)) {
            ClusterConfig cluster = ClusterConfig.of(server.uri().toString());
            try (var client = KubernetesClient.create(
                    authorization.isEmpty() ? cluster : cluster.token(authorization.substring("Bearer ".length())),
                    ClientOptions.defaults().withProtobuf(false))) { // recorded was JSON
                var call = new RecordedCall(client, exchange);
                if (exchange.status() >= 400) {
                    assertThatThrownBy(() -> call.send().blockLast(LIMIT)).isInstanceOf(StatusException.class)
                            .satisfies(failure -> assertThat(((StatusException) failure).code()).isEqualTo(exchange.status()));
                } else {
                    tells(call, exchange);
                }
            }
            compare(server.received().get(0), exchange.requestText());
        }
    }

    private static void tells(RecordedCall call, Exchange exchange) {
        if (exchange.requestLine().startsWith("DELETE")) {
            call.send().blockLast(LIMIT);
        } else if (call.isRaw()) {
            var bytes = new ByteArrayOutputStream();
            call.send().doOnNext(piece -> bytes.writeBytes((byte[]) piece)).blockLast(LIMIT);
            assertThat(bytes.toByteArray()).isEqualTo(body(exchange));
        } else {
            List<JsonNode> expected = expected(exchange);
            var results = call.send().map(RecordedCallsTest::tree).take(exchange.end() == End.OPEN ? expected.size() : Long.MAX_VALUE);
            // not toIterable, which has no limit, and takes a lock on the thread that delivers: BlockHound refuses that while the reader
            // holds it
            assertThat(results.collectList().block(LIMIT)).containsExactlyElementsOf(expected);
        }
    }

    private static byte[] body(Exchange exchange) {
        if (!exchange.header("Content-Encoding").equals("gzip")) {
            return exchange.body();
        }
        try {
            return new GZIPInputStream(new ByteArrayInputStream(exchange.body())).readAllBytes();
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** The objects that stand in the answer, as the client gives them: with their type, without managed fields. */
    private static List<JsonNode> expected(Exchange exchange) {
        List<JsonNode> expected = new ArrayList<>();
        if (exchange.uri().contains("watch=true")) {
            exchange.bodyText().lines().map(JSON::readTree).forEach(event -> expected.add(event.path("type").asString().equals("BOOKMARK")
                    ? event.at("/object/metadata/resourceVersion") : cleaned(event.get("object"))));
            return expected;
        }
        JsonNode body = JSON.readTree(body(exchange));
        if (!body.has("items")) {
            return List.of(cleaned(body));
        }
        String kind = body.path("kind").asString().replaceFirst("List$", "");
        body.get("items").forEach(item -> {
            ObjectNode whole = (ObjectNode) cleaned(item);
            if (!whole.has("kind")) {
                whole.put("kind", kind).put("apiVersion", body.path("apiVersion").asString());
            }
            expected.add(whole);
        });
        return expected;
    }

    private static JsonNode tree(Object result) {
        return result instanceof PartialObjectMetadata partial ? normal(JSON.readTree(ObjectCodec.create().write(partial)))
                : result instanceof JsonNode node ? normal(node)
                : JSON.valueToTree(result);
    }

    private static JsonNode cleaned(JsonNode object) {
        ObjectNode copy = (ObjectNode) object.deepCopy();
        if (copy.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        return normal(copy);
    }

    /** Times may be written with or without a fraction. */
    private static JsonNode normal(JsonNode tree) {
        return JSON.readTree(TIME.matcher(JSON.writeValueAsString(tree)).replaceAll("$1Z\""));
    }

    private static void compare(String sent, String recorded) {
        assertThat(line(sent)[0]).isEqualTo(line(recorded)[0]);
        assertThat(line(sent)[1].split("[?]", 2)[0]).isEqualTo(line(recorded)[1].split("[?]", 2)[0]);
        Map<String, String> asked = new TreeMap<>(RecordedCall.query(line(sent)[1]));
        Map<String, String> expected = new TreeMap<>(RecordedCall.query(line(recorded)[1]));
        if (!expected.containsKey("timeoutSeconds")) {
            asked.remove("timeoutSeconds"); // which every watch of ours has
        }
        assertThat(asked).isEqualTo(expected);
        assertThat(RecordedCall.header(sent, "Authorization")).isEqualTo(RecordedCall.header(recorded, "Authorization"));
        assertThat(RecordedCall.header(sent, "Content-Type")).isEqualTo(RecordedCall.header(recorded, "Content-Type"));
        assertThat(RecordedCall.header(sent, "If-None-Match")).isEqualTo(RecordedCall.header(recorded, "If-None-Match"));
        assertThat(RecordedCall.header(sent, "Accept")).startsWith(RecordedCall.header(recorded, "Accept"));
        assertThat(RecordedCall.header(sent, "Accept-Encoding")).isEqualTo("gzip");
        String body = body(recorded);
        if (body.isEmpty() || !(body.startsWith("{\"") || body.startsWith("[")) || body.equals("{\"kind\":")) {
            assertThat(body(sent)).isEqualTo(body);
        } else {
            assertThat(JSON.readTree(body(sent))).isEqualTo(JSON.readTree(body));
        }
    }

    private static String[] line(String request) {
        return request.lines().findFirst().orElseThrow().split(" ", -1);
    }

    private static String body(String request) {
        return RecordedCall.body(request);
    }

    /** Nothing is invented and nothing lost: times keep their digits, and what is empty is not written. */
    @ParameterizedTest
    @MethodSource("writes")
    void aModelObjectIsWrittenAsItWasSet(String recording, Exchange exchange) {
        String body = body(exchange.requestText()).replaceAll("\"[A-Za-z]+\":null,?", "").replace(",}", "}");
        ObjectNode recorded = (ObjectNode) cleaned(JSON.readTree(body));
        String[] apiVersion = recorded.path("apiVersion").asString().split("/", -1);
        String plural = recorded.path("kind").asString().toLowerCase(Locale.ROOT) + "s";
        ResourceType<?> type = ResourceType.find(apiVersion.length == 1 ? "" : apiVersion[0], apiVersion[apiVersion.length - 1], plural)
                .orElseThrow();
        assertThat(normal(JSON.readTree(RecordedCall.rewritten(type, body)))).isEqualTo(recorded);
    }
}
