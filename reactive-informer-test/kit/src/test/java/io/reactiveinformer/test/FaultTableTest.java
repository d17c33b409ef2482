package io.reactiveinformer.test;

import io.reactiveinformer.config.Cluster.Endpoint;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.test.faults.Fault;
import io.reactiveinformer.test.faults.FaultSetup;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import io.reactiveinformer.transport.Transport;
import io.reactiveinformer.transport.TransportOptions;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Every fault there is, in a watch and in a list: what it looks like on the wire, and that an informer gets over it. */
@Tag("long")
class FaultTableTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ExecutorService THREADS = Executors.newFixedThreadPool(8);

    private static final Map<FaultRow, CompletableFuture<Void>> watches = new EnumMap<>(FaultRow.class);
    private static final Map<FaultRow, CompletableFuture<Void>> lists = new EnumMap<>(FaultRow.class);

    @Test
    void hasARowForEveryFault() {
        Set<String> faults = Arrays.stream(FaultSetup.class.getMethods())
                .filter(method -> method.getReturnType() == Fault.class)
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> rows = Arrays.stream(FaultRow.values()).map(row -> row.method).collect(Collectors.toCollection(TreeSet::new));
        assertThat(rows).isEqualTo(faults);
    }

    static Stream<FaultRow> ofLists() {
        return Arrays.stream(FaultRow.values()).filter(FaultRow::isForLists);
    }

    /** Most of the time on the wire is silence, so all rows are there at once, each on a server of its own. */
    @BeforeAll
    static void beginOnTheWire() {
        EnumSet.allOf(FaultRow.class).forEach(row -> watches.put(row, CompletableFuture.runAsync(
                () -> showsOnTheWire("watch", row.inWatches, row::watch, row.endOfAWatch, FaultTableTest::events), THREADS)));
        ofLists().forEach(row -> lists.put(row, CompletableFuture.runAsync(
                () -> showsOnTheWire("list", row.inLists, row::list, row.endOfAList, FaultTableTest::items), THREADS)));
    }

    @AfterAll
    static void endOnTheWire() {
        THREADS.shutdown();
    }

    @ParameterizedTest
    @EnumSource
    void showsOnTheWireOfAWatch(FaultRow row) {
        watches.get(row).join();
    }

    @ParameterizedTest
    @MethodSource("ofLists")
    void showsOnTheWireOfAList(FaultRow row) {
        lists.get(row).join();
    }

    private static void showsOnTheWire(
            String verb, Function<FaultSetup, Fault> arm, UnaryOperator<String> uri, String end, BinaryOperator<String> words) {
        try (FakeApiServer server = FakeApiServer.create()) {
            String before = server.resourceVersion();
            List.of("a", "b", "c").forEach(name -> FaultTrial.create(server, name));
            Transport transport = Transport.overSockets(Mono.just(Endpoint.of(URI.create(server.start().url()))),
                    TransportOptions.defaults());
            try {
                Fault fault = arm.apply(server.faults().on(verb, "configmaps"));
                assertThat(seen(transport, uri.apply(before), end, fault, words)).matches(end);
                assertThat(Objects.requireNonNull(fault.happened(PATIENCE).block()).request()).isEqualTo(verb + " configmaps");
            } finally {
                transport.dispose().block(PATIENCE);
            }
        }
    }

    /** What a client sees: status, what the body says, how it ends. */
    private static String seen(Transport transport, String uri, String expected, Fault fault, BinaryOperator<String> words) {
        var status = new AtomicReference<>("");
        var body = new AtomicReference<>("");
        Mono<?> silence = FaultTrial.silence(expected, fault, () -> status.get() + words.apply(body.get(), "silent"));
        String end = transport.exchange(HttpRequest.get(uri, Headers.of("Accept", "application/json")), answer -> {
                    status.set(answer.status() + ": ");
                    return answer.body().doOnNext(part -> body.accumulateAndGet(part.toString(StandardCharsets.UTF_8), String::concat));
                })
                .then(Mono.just("complete"))
                .timeout(silence, Mono.just("silent"))
                .onErrorResume(TransportException.class, failure -> Mono.just("broken"))
                .block(PATIENCE);
        return status.get() + words.apply(body.get(), end) + end;
    }

    private static String events(String lines, String end) {
        return lines.lines().map(FaultTableTest::event).filter(word -> !word.isEmpty()).map(word -> word + ", ")
                .collect(Collectors.joining());
    }

    private static String event(String line) {
        try {
            JsonNode event = JsonMapper.shared().readTree(line);
            JsonNode object = event.path("object");
            return switch (event.path("type").asString("")) {
                case "ERROR" -> "ERROR " + object.path("code").asInt();
                case "BOOKMARK" -> "bookmark";
                default -> line.indexOf('\ufffd') < 0 ? name(object) : "garbage";
            };
        } catch (JacksonException notJson) {
            return "garbage";
        }
    }

    /** A list that broke off, or that never came to its end, has no word: what was read of it depends on the sockets. */
    private static String items(String body, String end) {
        if (!end.equals("complete")) {
            return "";
        }
        try {
            JsonNode list = JsonMapper.shared().readTree(body);
            return body.indexOf('\ufffd') < 0 ? list.path("items").valueStream().map(item -> name(item) + ", ")
                    .collect(Collectors.joining()) : "garbage, ";
        } catch (JacksonException notJson) {
            return "garbage, ";
        }
    }

    private static String name(JsonNode object) {
        return object.path("metadata").path("name").asString("");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WITHOUT_END_MARK") // who resumes asks for no streaming list
    void anInformerGetsOverItInAWatch(FaultRow row) {
        row.trialOfWatches().later();
    }

    @ParameterizedTest
    @EnumSource
    void anInformerGetsOverItFromTheFirstRequestOn(FaultRow row) {
        row.trialOfWatches().fromTheFirstRequestOn();
    }

    @ParameterizedTest
    @MethodSource("ofLists")
    void anInformerGetsOverItInItsFirstList(FaultRow row) {
        row.trialOfLists().fromTheFirstRequestOn();
    }

    @ParameterizedTest
    @MethodSource("ofLists")
    void anInformerGetsOverItWhenItListsAgain(FaultRow row) {
        row.trialOfLists().later();
    }
}
