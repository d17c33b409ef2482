package io.reactiveinformer.test;

import io.reactiveinformer.config.Endpoint;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.test.faults.Cut;
import io.reactiveinformer.test.faults.Fault;
import io.reactiveinformer.test.faults.FaultSetup;
import io.reactiveinformer.transport.Headers;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import io.reactiveinformer.transport.TransportOptions;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Every fault there is: what it looks like on the wire, and that an informer gets over it. */
class FaultTableTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String WATCH = "/api/v1/configmaps?watch=true&allowWatchBookmarks=true&timeoutSeconds=1&resourceVersion=";
    private static final String STREAMING_LIST = "0&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";

    /** How a watch of three config maps ends, as one line. */
    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    enum Row {
        CUT_FIN("cut", watch -> watch.after(1).events().cut(Cut.FIN), "200: a, broken"),
        CUT_RST("cut", watch -> watch.after(200).bytes().cut(Cut.RST), "200:.* broken"),
        REFUSE("refuse", FaultSetup::refuse, "broken"),
        DELAY("delay", watch -> watch.delay(Duration.ofMillis(300)), "200: a, b, c, complete"),
        STALL("stall", watch -> watch.after(1).events().stall(), "200: a, silent"),
        STALL_AT_ONCE("stall", FaultSetup::stall, "silent"),
        TRUNCATE("truncate", watch -> watch.after(2).events().truncate(), "200: a, b, complete"),
        END_AT_ONCE("endAtOnce", FaultSetup::endAtOnce, "200: complete"),
        GARBLE("garble", watch -> watch.after(1).events().garble(), "200: a, garbage, c, complete"),
        DUPLICATE("duplicate", watch -> watch.after(1).events().duplicate(), "200: a, b, b, c, complete"),
        REORDER("reorder", watch -> watch.after(0).events().reorder(), "200: b, a, c, complete"),
        EXPIRE("expire", watch -> watch.after(1).events().expire(), "200: a, ERROR 410, complete"),
        GONE("gone", FaultSetup::gone, "410: complete"),
        TOO_MANY_REQUESTS("tooManyRequests", watch -> watch.tooManyRequests(Duration.ofSeconds(2)), "429: garbage, complete"),
        PLAIN_TEXT("plainText", watch -> watch.plainText(502, "bad gateway"), "502: garbage, complete"),
        INITIALIZING("initializing", FaultSetup::initializing, "429: complete"),
        NOT_READY("notReady", FaultSetup::notReady, "503: complete"),
        INTERNAL_ERROR("internalError", FaultSetup::internalError, "500: complete"),
        TOO_LARGE_VERSION("tooLargeVersion", FaultSetup::tooLargeVersion, "504: complete"),
        STATUS("status", watch -> watch.status(403, "Forbidden", "not today"), "403: complete"),
        SHUTTING_DOWN("shuttingDown", FaultSetup::shuttingDown, "429: garbage, complete"),
        ANSWER("answer", watch -> watch.answer("{kind: Status, apiVersion: v1, code: 418, reason: Teapot}"), "418: complete"),
        RESTART("restart", FaultSetup::restart, "broken"),
        RESTORE("restore", watch -> watch.restore(FakeApiServer.create().backup()), "broken"),
        RESTART_KEEPING("restartKeeping", watch -> watch.restartKeeping(2), "broken"),
        COMPACT("compact", FaultSetup::compact, "200: ERROR 410, complete"),
        WITHOUT_END_MARK("withholdInitialEventsEnd", FaultSetup::withholdInitialEventsEnd, "200: a, b, c, complete");

        final String method;
        final Function<FaultSetup, Fault> arm;
        final String wire;

        Row(String method, Function<FaultSetup, Fault> arm, String wire) {
            this.method = method;
            this.arm = arm;
            this.wire = wire;
        }

        FaultTrial trial() {
            return new FaultTrial("watch", arm, this == RESTORE);
        }

        String watch(String before) {
            return WATCH + (this == COMPACT ? before : this == WITHOUT_END_MARK ? STREAMING_LIST : "0");
        }
    }

    @Test
    void hasARowForEveryFault() {
        Set<String> faults = Arrays.stream(FaultSetup.class.getMethods())
                .filter(method -> method.getReturnType() == Fault.class)
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> rows = Arrays.stream(Row.values()).map(row -> row.method).collect(Collectors.toCollection(TreeSet::new));
        assertThat(rows).isEqualTo(faults);
    }

    @ParameterizedTest
    @EnumSource
    void showsOnTheWire(Row row) {
        try (FakeApiServer server = FakeApiServer.create()) {
            String before = server.resourceVersion();
            List.of("a", "b", "c").forEach(name -> FaultTrial.create(server, name));
            Transport transport = Transport.overSockets(Mono.just(Endpoint.of(URI.create(server.start().url()))), TransportOptions.defaults());
            try {
                Fault fault = row.arm.apply(server.faults().onWatch("configmaps"));
                assertThat(watch(transport, row.watch(before), FaultTrial.silence(row.wire, fault))).matches(row.wire);
                assertThat(Objects.requireNonNull(fault.happened(PATIENCE).block()).request()).isEqualTo("watch configmaps");
            } finally {
                transport.dispose().block(PATIENCE);
            }
        }
    }

    /** What a client sees: status, names of objects, how it ends. */
    private static String watch(Transport transport, String uri, Mono<?> silence) {
        var seen = new StringBuilder();
        var body = new StringBuilder();
        String end = transport.exchange(HttpRequest.get(uri, Headers.of("Accept", "application/json")), answer -> {
                    seen.append(answer.status()).append(": ");
                    return answer.body().doOnNext(part -> body.append(part.toString(StandardCharsets.UTF_8)));
                })
                .then(Mono.just("complete"))
                .timeout(silence, Mono.just("silent"))
                .onErrorResume(TransportException.class, failure -> Mono.just("broken"))
                .block(PATIENCE);
        body.toString().lines().map(FaultTableTest::word).filter(word -> !word.isEmpty()).forEach(word -> seen.append(word).append(", "));
        return seen + end;
    }

    private static String word(String line) {
        try {
            JsonNode event = JsonMapper.shared().readTree(line);
            JsonNode object = event.path("object");
            return switch (event.path("type").asString("")) {
                case "ERROR" -> "ERROR " + object.path("code").asInt();
                case "BOOKMARK" -> "bookmark";
                default -> line.indexOf('\ufffd') < 0 ? object.path("metadata").path("name").asString("") : "garbage";
            };
        } catch (JacksonException notJson) {
            return "garbage";
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WITHOUT_END_MARK") // who resumes asks for no streaming list
    void anInformerGetsOverItInAWatch(Row row) {
        row.trial().later();
    }

    @ParameterizedTest
    @EnumSource
    void anInformerGetsOverItFromTheFirstRequestOn(Row row) {
        row.trial().fromTheFirstRequestOn();
    }
}
