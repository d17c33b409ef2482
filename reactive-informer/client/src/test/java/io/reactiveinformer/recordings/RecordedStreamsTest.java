package io.reactiveinformer.recordings;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.recordings.Recording.End;
import io.reactiveinformer.recordings.Recording.Exchange;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.Versioned;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every list and watch that was recorded, answered byte for byte over a socket: each object with its version, and how the answer ends. The
 * one that is compressed is in {@link RecordedCallsTest}; one got no answer for as long as it was waited for.
 */
class RecordedStreamsTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final JsonMapper JSON = RecordedCall.JSON;

    /** A collection: group, version, and its name; with or without a namespace before it. */
    private static final Pattern COLLECTION =
            Pattern.compile("GET /(?:api|apis/([^/]+))/([^/]+)/(?:namespaces/[^/]+/)?([a-z]+)(?:[?](\\S*))? .*");

    static Stream<Arguments> answers() throws IOException {
        return RecordingTest.names().stream().map(Recording::of).flatMap(recording -> recording.exchanges().stream()
                .filter(exchange -> COLLECTION.matcher(exchange.requestLine()).matches() && exchange.end() != End.NOT_CONNECTED
                        && (exchange.end() != End.OPEN || exchange.response().length > 0)
                        && exchange.header("Content-Encoding").isEmpty()
                        && RecordedCall.header(exchange.requestText(), "Accept").equals("application/json"))
                .map(exchange -> Arguments.of(recording.name(), exchange)));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void tellsWhatWasAnswered(String recording, Exchange exchange) {
        Matcher collection = COLLECTION.matcher(exchange.requestLine());
        assertThat(collection.matches()).isTrue();
        String group = collection.group(1) == null ? "" : collection.group(1);
        ResourceType<JsonNode> type = ResourceType.dynamic(group, collection.group(2), collection.group(3));
        boolean watch = collection.group(4) != null && collection.group(4).matches("(.*&)?watch=(true|1)(&.*)?");
        List<String> expected = exchange.response().length == 0 ? List.of("broken")
                : exchange.status() >= 400 ? List.of("failed " + exchange.status())
                : watch ? watched(exchange) : listed(exchange);
        try (var server = ReplayServer.of(exchange); var client = KubernetesClient.create(ClusterConfig.of(server.uri().toString()))) {
            ResourceClient<JsonNode> resources = client.resources(type);
            Flux<String> received = watch
                    ? resources.watch(Namespaces.all(), WatchOptions.from("1", Duration.ofMinutes(1)), Reading.anew())
                            .mapNotNull(RecordedStreamsTest::text)
                    : resources.list(Namespaces.all(), ListOptions.defaults(), Reading.anew()).map(RecordedStreamsTest::listed);
            assertThat(received.concatWithValues("complete").onErrorResume(failure -> Flux.just(text(failure)))
                    .take(expected.size()).collectList().block(LIMIT))
                    .isEqualTo(expected);
        }
    }

    private static List<String> watched(Exchange exchange) {
        List<String> expected = new ArrayList<>();
        String body = exchange.bodyText();
        for (String line : body.substring(0, body.lastIndexOf('\n') + 1).lines().toList()) {
            JsonNode event = JSON.readTree(line);
            String type = event.path("type").asString();
            if (type.equals("ERROR")) {
                expected.add("failed " + event.at("/object/code").asInt());
                return expected;
            }
            expected.add(type.equals("BOOKMARK") ? "bookmark " + version(event.path("object")) : type + " " + text(event.path("object")));
        }
        boolean ended = !exchange.header("Transfer-Encoding").equals("chunked")
                || new String(exchange.response(), UTF_8).endsWith("\r\n0\r\n\r\n");
        if (exchange.end() != End.OPEN && !ended) {
            expected.add("broken");
        } else if (exchange.end() != End.OPEN) {
            expected.add("complete");
        }
        return expected;
    }

    private static List<String> listed(Exchange exchange) {
        List<String> expected = new ArrayList<>();
        JsonNode list = JSON.readTree(exchange.bodyText());
        list.path("items").forEach(item -> expected.add(text(item)));
        String token = list.at("/metadata/continue").asString("");
        expected.add("end " + version(list) + " " + (token.isEmpty() ? null : token));
        expected.add("complete");
        return expected;
    }

    private static String text(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return metadata.path("name").asString() + " " + metadata.path("uid").asString(null) + " " + version(object);
    }

    private static String version(JsonNode object) {
        return object.at("/metadata/resourceVersion").asString();
    }

    private static String listed(ObjectEvent<JsonNode> event) {
        return event instanceof ObjectEvent.Applied<JsonNode> item ? item.key().name() + " " + text(item.entry())
                : event instanceof ObjectEvent.PageEnd<JsonNode> end ? "end " + end.resourceVersion() + " " + end.continueToken()
                : event.toString();
    }

    private static String text(Versioned<?> entry) {
        return entry.uid() + " " + entry.resourceVersion();
    }

    private static @Nullable String text(ObjectEvent<JsonNode> event) {
        return event instanceof ObjectEvent.Opened ? null
                : event instanceof ObjectEvent.Bookmark<JsonNode> bookmark ? "bookmark " + bookmark.resourceVersion()
                : event instanceof ObjectEvent.Applied<JsonNode> applied
                        ? (applied.modified() ? "MODIFIED " : "ADDED ") + applied.key().name() + " " + text(applied.entry())
                : event instanceof ObjectEvent.Deleted<JsonNode> deleted ? "DELETED " + deleted.key().name() + " " + text(deleted.entry())
                : event.toString();
    }

    private static String text(Throwable failure) {
        return failure instanceof StatusException refusal ? "failed " + refusal.code()
                : failure instanceof TransportException ? "broken" : failure.toString();
    }
}
