package io.reactiveinformer.recordings;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.recordings.Recording.End;
import io.reactiveinformer.recordings.Recording.Exchange;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every recorded list and watch, answered over a socket and asked for by the real client, tells what stands in its body: objects, versions
 * and order; and ends as it was recorded.
 */
class RecordedExchangesTest {

    private static final JsonMapper JSON = JsonMapper.shared();

    static Stream<Arguments> exchanges() {
        return Stream.of("01-list-pods", "02-list-paged", "05-watch-events", "06-watch-bookmarks", "07-watch-timeout", "08-watch-too-old",
                        "09-continue-expired", "10-rv-too-large", "11-watchlist", "12-watchlist-invalid", "20-crd",
                        "21-crd-changes-during-watch", "25-watch-single", "26-apiserver-stops", "35-rv-goes-backwards", "36-cascades",
                        "38-large-event")
                .map(Recording::of)
                .flatMap(recording -> recording.exchanges().stream()
                        .filter(RecordedExchangesTest::isOfACollection)
                        .map(exchange -> Arguments.of(recording.name(), exchange)));
    }

    @ParameterizedTest
    @MethodSource("exchanges")
    void tellsWhatStandsInIt(String recording, Exchange exchange) {
        List<String> expected = expected(exchange);
        try (var server = ReplayServer.of(exchange); var client = KubernetesClient.create(ClusterConfig.of(server.uri().toString()))) {
            List<String> received = ask(client, exchange)
                    .onErrorResume(KubernetesException.class, failure -> Flux.just(text(failure)))
                    .concatWith(Flux.just("complete"))
                    .take(exchange.end() == End.OPEN ? expected.size() : Long.MAX_VALUE)
                    .collectList().block(Duration.ofSeconds(20));
            assertThat(received).isEqualTo(expected);
        }
    }

    private static boolean isOfACollection(Exchange exchange) {
        List<String> path = path(exchange);
        return exchange.requestLine().startsWith("GET ")
                && !isTable(exchange)
                && exchange.end() != End.NOT_CONNECTED
                && (path.get(0).equals("api") || path.get(0).equals("apis"))
                && !collection(path).contains("/");
    }

    /** What comes after the namespace, if there is one: {@code pods}, {@code pods/a}. */
    private static String collection(List<String> path) {
        List<String> rest = path.subList(path.get(0).equals("api") ? 2 : 3, path.size());
        return String.join("/", rest.size() > 2 && rest.get(0).equals("namespaces") ? rest.subList(2, rest.size()) : rest);
    }

    private static List<String> path(Exchange exchange) {
        return Arrays.asList(exchange.uri().substring(1).split("[?]", 2)[0].split("/", -1));
    }

    private static boolean isTable(Exchange exchange) {
        return exchange.requestText().contains("as=Table");
    }

    private static boolean isWatch(Exchange exchange) {
        return exchange.uri().contains("watch=true");
    }

    private static Flux<String> ask(KubernetesClient client, Exchange exchange) {
        List<String> path = path(exchange);
        String group = path.get(0).equals("api") ? "" : path.get(1);
        String version = path.get(0).equals("api") ? path.get(1) : path.get(2);
        ResourceType<?> type = exchange.requestText().contains("as=PartialObjectMetadata")
                ? ResourceType.metadata(group, version, collection(path))
                : ResourceType.find(group, version, collection(path))
                        .orElseGet(() -> ResourceType.dynamic(group, version, collection(path)));
        int at = path.indexOf("namespaces");
        Namespaces namespaces = at >= 0 && path.size() > at + 2 ? Namespaces.of(path.get(at + 1)) : Namespaces.all();
        return ask(client, type, namespaces, exchange);
    }

    private static <T> Flux<String> ask(KubernetesClient client, ResourceType<T> type, Namespaces namespaces, Exchange exchange) {
        if (!isWatch(exchange)) {
            return client.resources(type).list(namespaces, ListOptions.defaults(), Reading.anew()).map(RecordedExchangesTest::listed);
        }
        Duration timeout = Duration.ofMinutes(5);
        WatchOptions options = exchange.uri().contains("sendInitialEvents=true")
                ? WatchOptions.streamingList(null, timeout)
                : WatchOptions.from("1", timeout);
        return client.resources(type).watch(namespaces, options, Reading.anew()).map(RecordedExchangesTest::text);
    }

    private static String listed(ObjectEvent<?> event) {
        if (event instanceof ObjectEvent.Applied<?> item) {
            return item.key() + " " + item.entry().uid() + " " + item.entry().resourceVersion();
        } else if (event instanceof ObjectEvent.Unreadable<?> item) {
            return "UNREADABLE " + item.key();
        }
        var end = (ObjectEvent.PageEnd<?>) event;
        return "end " + end.resourceVersion() + " " + end.continueToken();
    }

    private static String text(ObjectEvent<?> event) {
        if (event instanceof ObjectEvent.Opened<?>) {
            return "opened";
        } else if (event instanceof ObjectEvent.Applied<?> applied) {
            String kind = applied.modified() ? "MODIFIED " : "ADDED ";
            return kind + applied.key() + " " + applied.entry().uid() + " " + applied.entry().resourceVersion();
        } else if (event instanceof ObjectEvent.Deleted<?> deleted) {
            return "DELETED " + deleted.key() + " " + deleted.entry().uid() + " " + deleted.entry().resourceVersion();
        } else if (event instanceof ObjectEvent.Bookmark<?> bookmark) {
            return "BOOKMARK " + bookmark.resourceVersion() + " " + bookmark.initialEventsEnd();
        }
        return "UNREADABLE " + event;
    }

    private static String text(KubernetesException failure) {
        return failure instanceof StatusException refusal ? "refused " + refusal.code()
                : failure instanceof TransportException ? "broken" : failure.toString();
    }

    /** From the recorded bytes, by a plain JSON reader. */
    private static List<String> expected(Exchange exchange) {
        List<String> expected = new ArrayList<>();
        if (exchange.response().length == 0) {
            return List.of("broken", "complete");
        }
        if (exchange.status() != 200) {
            return List.of("refused " + exchange.status(), "complete");
        }
        if (!isWatch(exchange)) {
            JsonNode list = JSON.readTree(exchange.body());
            list.get("items").forEach(item -> expected.add(identity(item.get("metadata"))));
            String token = list.get("metadata").path("continue").asString("");
            expected.add("end " + list.get("metadata").get("resourceVersion").asString() + " " + (token.isEmpty() ? null : token));
        } else {
            expected.add("opened");
            exchange.bodyText().lines().forEach(line -> expected.add(event(JSON.readTree(line))));
            if (exchange.end() == End.CUT || exchange.end() == End.CLOSED) {
                expected.add("broken");
            }
        }
        if (exchange.end() != End.OPEN) {
            expected.add("complete");
        }
        return expected;
    }

    private static String event(JsonNode event) {
        JsonNode object = event.get("object");
        JsonNode metadata = object.get("metadata");
        return switch (event.get("type").asString()) {
            case "ERROR" -> "refused " + object.get("code").asInt();
            case "BOOKMARK" -> "BOOKMARK " + metadata.get("resourceVersion").asString() + " "
                    + metadata.path("annotations").path("k8s.io/initial-events-end").asString("").equals("true");
            default -> event.get("type").asString() + " " + identity(metadata);
        };
    }

    private static String identity(JsonNode metadata) {
        String namespace = metadata.path("namespace").asString("");
        return (namespace.isEmpty() ? "" : namespace + "/") + metadata.get("name").asString() + " " + metadata.get("uid").asString() + " "
                + metadata.get("resourceVersion").asString();
    }
}
