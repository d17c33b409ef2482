package io.reactiveinformer.test;

import io.reactiveinformer.config.Endpoint;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.test.cluster.Json;
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

import static org.assertj.core.api.Assertions.assertThat;

/** Every fault there is, in a list: what it looks like on the wire, and that an informer gets over it. {@link FaultTableTest} has them in watches. */
class FaultsOnListsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Only a watch has events to change places, and an end of the initial ones. */
    private static final Set<String> OF_WATCHES = Set.of("reorder", "withholdInitialEventsEnd");

    /** How a list of three config maps ends, as one line. */
    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    enum Row {
        CUT_FIN("cut", list -> list.after(100).bytes().cut(Cut.FIN), "200: broken"),
        CUT_RST("cut", list -> list.after(100).bytes().cut(Cut.RST), "200: broken"),
        REFUSE("refuse", FaultSetup::refuse, "broken"),
        DELAY("delay", list -> list.delay(Duration.ofMillis(300)), "200: a, b, c, complete"),
        STALL("stall", list -> list.after(100).bytes().stall(), "200: silent"),
        STALL_AT_ONCE("stall", FaultSetup::stall, "silent"),
        TRUNCATE("truncate", list -> list.after(100).bytes().truncate(), "200: garbage, complete"),
        END_AT_ONCE("endAtOnce", FaultSetup::endAtOnce, "200: complete"),
        GARBLE("garble", FaultSetup::garble, "200: garbage, complete"),
        DUPLICATE("duplicate", FaultSetup::duplicate, "200: garbage, complete"),
        EXPIRE("expire", FaultSetup::expire, "410: complete"),
        GONE("gone", FaultSetup::gone, "410: complete"),
        TOO_MANY_REQUESTS("tooManyRequests", list -> list.tooManyRequests(Duration.ofSeconds(2)), "429: garbage, complete"),
        PLAIN_TEXT("plainText", list -> list.plainText(502, "bad gateway"), "502: garbage, complete"),
        INITIALIZING("initializing", FaultSetup::initializing, "429: complete"),
        NOT_READY("notReady", FaultSetup::notReady, "503: complete"),
        INTERNAL_ERROR("internalError", FaultSetup::internalError, "500: complete"),
        TOO_LARGE_VERSION("tooLargeVersion", FaultSetup::tooLargeVersion, "504: complete"),
        STATUS("status", list -> list.status(403, "Forbidden", "not today"), "403: complete"),
        SHUTTING_DOWN("shuttingDown", FaultSetup::shuttingDown, "429: garbage, complete"),
        ANSWER("answer", list -> list.answer("{kind: Status, apiVersion: v1, code: 418, reason: Teapot}"), "418: complete"),
        RESTART("restart", FaultSetup::restart, "broken"),
        RESTART_KEEPING("restartKeeping", list -> list.restartKeeping(2), "broken"),
        RESTORE("restore", list -> list.restore(FakeApiServer.create().backup()), "broken"),
        COMPACT("compact", FaultSetup::compact, "200: a, b, c, complete");

        final String method;
        final Function<FaultSetup, Fault> arm;
        final String wire;

        Row(String method, Function<FaultSetup, Fault> arm, String wire) {
            this.method = method;
            this.arm = arm;
            this.wire = wire;
        }

        FaultTrial trial() {
            return new FaultTrial("list", arm, this == RESTORE);
        }
    }

    @Test
    void hasARowForEveryFaultThatAListCanHave() {
        Set<String> faults = Arrays.stream(FaultSetup.class.getMethods())
                .filter(method -> method.getReturnType() == Fault.class)
                .map(Method::getName)
                .filter(name -> !OF_WATCHES.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> rows = Arrays.stream(Row.values()).map(row -> row.method).collect(Collectors.toCollection(TreeSet::new));
        assertThat(rows).isEqualTo(faults);
    }

    @ParameterizedTest
    @EnumSource
    void showsOnTheWire(Row row) {
        try (FakeApiServer server = FakeApiServer.create()) {
            List.of("a", "b", "c").forEach(name -> FaultTrial.create(server, name));
            Transport transport = Transport.overSockets(Mono.just(Endpoint.of(URI.create(server.start().url()))), TransportOptions.defaults());
            try {
                Fault fault = row.arm.apply(server.faults().onList("configmaps"));
                assertThat(list(transport, FaultTrial.silence(row.wire, fault))).isEqualTo(row.wire);
                assertThat(Objects.requireNonNull(fault.happened(PATIENCE).block()).request()).isEqualTo("list configmaps");
            } finally {
                transport.dispose().block(PATIENCE);
            }
        }
    }

    /** What a client sees: status, names of objects, how it ends. */
    private static String list(Transport transport, Mono<?> silence) {
        var seen = new StringBuilder();
        var body = new StringBuilder();
        String end = transport.exchange(HttpRequest.get("/api/v1/configmaps", Headers.of("Accept", "application/json")), answer -> {
                    seen.append(answer.status()).append(": ");
                    return answer.body().doOnNext(part -> body.append(part.toString(StandardCharsets.UTF_8)));
                })
                .then(Mono.just("complete"))
                .timeout(silence, Mono.just("silent"))
                .onErrorResume(TransportException.class, failure -> Mono.just("broken"))
                .block(PATIENCE);
        return seen + (end.equals("complete") && !body.isEmpty() ? names(body.toString()) : "") + end;
    }

    private static String names(String body) {
        try {
            if (body.indexOf('\ufffd') >= 0) {
                return "garbage, ";
            }
            var names = new StringBuilder();
            Json.read(body).path("items").forEach(item -> names.append(Json.text(item, "metadata", "name")).append(", "));
            return names.toString();
        } catch (JacksonException notJson) {
            return "garbage, ";
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInformerGetsOverItInItsFirstList(Row row) {
        row.trial().fromTheFirstRequestOn();
    }

    @ParameterizedTest
    @EnumSource
    void anInformerGetsOverItWhenItListsAgain(Row row) {
        row.trial().later();
    }
}
