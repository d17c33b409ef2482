package io.reactiveinformer.test;

import io.reactiveinformer.config.Cluster.Endpoint;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.test.faults.Cut;
import io.reactiveinformer.test.faults.Fault;
import io.reactiveinformer.transport.HttpRequest.Headers;
import io.reactiveinformer.transport.Transport;
import io.reactiveinformer.transport.TransportOptions;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** Each fault as a client meets it, over sockets and without. */
class FaultsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String WATCH = "/api/v1/configmaps?watch=true&resourceVersion=0";
    private static final String LIST = "/api/v1/configmaps";

    private final FakeApiServer server = FakeApiServer.create();
    private Transport transport = server.transport();

    enum Way {
        SOCKETS, MEMORY
    }

    @AfterEach
    void close() {
        transport.dispose().block(PATIENCE);
        server.close();
    }

    private Requests over(Way way) {
        if (way == Way.SOCKETS) {
            transport = Transport.overSockets(Mono.just(Endpoint.of(URI.create(server.start().url()))), TransportOptions.defaults());
        }
        for (String name : List.of("a", "b", "c")) {
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: t}}");
        }
        return new Requests(transport);
    }

    @ParameterizedTest
    @EnumSource
    void cutsAWatchAfterSoManyEvents(Way way) {
        Requests requests = over(way);
        Fault fault = server.faults().onWatch("configmaps").after(2).events().cut(Cut.FIN);
        StepVerifier.create(requests.watch(WATCH).map(text -> text.split("\n", -1).length - 1)
                .scan(0, Integer::sum).takeUntil(lines -> lines > 2))
                .thenConsumeWhile(lines -> lines <= 2)
                .verifyError(TransportException.class);
        assertThat(fault.happened(PATIENCE).block().request()).isEqualTo("watch configmaps");
    }

    @Test
    void whoWaitedForAFaultFindsItInTheLog() {
        Fault refusal = server.faults().onList("configmaps").refuse();
        StepVerifier.create(refusal.happened(PATIENCE).map(happened -> String.join("\n", server.log())))
                .then(() -> StepVerifier.create(over(Way.values()[0]).answer("GET", LIST, Headers.empty(), null))
                        .verifyError(TransportException.class))
                .assertNext(log -> assertThat(log).contains("fault: list configmaps refused"))
                .verifyComplete();
    }

    @ParameterizedTest
    @EnumSource
    void resetsAWatchAfterSoManyBytes(Way way) {
        Requests requests = over(way);
        server.faults().onWatch("configmaps").after(100).bytes().cut(Cut.RST);
        StepVerifier.create(requests.watch(WATCH).map(String::length).reduce(0, Integer::sum)).verifyError(TransportException.class);
        StepVerifier.create(requests.events(WATCH)).expectNextCount(1).thenCancel().verify(PATIENCE);
    }

    @ParameterizedTest
    @EnumSource
    void refusesSoManyRequests(Way way) {
        Requests requests = over(way);
        server.faults().onList("configmaps").times(2).refuse();
        for (int i = 0; i < 2; i++) {
            StepVerifier.create(requests.answer("GET", LIST, Headers.empty(), null)).verifyError(TransportException.class);
        }
        assertThat(requests.get(LIST).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void expiresAWatchByAnEventAndAListByItsStatus(Way way) {
        Requests requests = over(way);
        server.faults().onWatch("configmaps").after(1).events().expire();
        StepVerifier.create(requests.watch(WATCH).reduce("", String::concat))
                .assertNext(body -> assertThat(body).contains("\"ADDED\"", "{\"type\":\"ERROR\"", "\"code\":410")
                        .doesNotContain("\"name\":\"b\""))
                .verifyComplete();
        server.faults().onList("configmaps").expire();
        assertThat(requests.get(LIST).status()).isEqualTo(410);
        server.faults().onWatch("configmaps").gone();
        assertThat(requests.get(WATCH).status()).isEqualTo(410);
    }

    @ParameterizedTest
    @EnumSource
    void saysWhenToComeBack(Way way) {
        Requests requests = over(way);
        server.faults().onList("configmaps").tooManyRequests(Duration.ofSeconds(7));
        var refused = requests.get(LIST);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.headers().first("Retry-After")).contains("7");
        assertThat(refused.headers().first("Content-Type").orElse("")).startsWith("text/plain");
    }

    @ParameterizedTest
    @EnumSource
    void truncatesAsIfThatWereAll(Way way) {
        Requests requests = over(way);
        server.faults().onList("configmaps").after(50).bytes().truncate();
        assertThat(requests.get(LIST).body()).hasSize(50);
    }

    @ParameterizedTest
    @EnumSource
    void garblesDoublesAndReordersEvents(Way way) {
        Requests requests = over(way);
        server.faults().onWatch("configmaps").after(1).events().duplicate();
        assertThat(namesUntilEnd(requests)).containsExactly("a", "b", "b", "c");
        server.faults().onWatch("configmaps").after(0).events().reorder();
        assertThat(namesUntilEnd(requests)).containsExactly("b", "a", "c");
        server.faults().onWatch("configmaps").after(1).events().garble();
        String body = requests.get(WATCH + "&timeoutSeconds=1").body();
        assertThat(body.lines().toList()).hasSize(3).element(1).asString().doesNotContain("configmaps\",\"name\":\"b\"").contains("\ufffd");
    }

    @ParameterizedTest
    @EnumSource
    void withholdsTheEndOfAStreamingList(Way way) {
        Requests requests = over(way);
        server.faults().onWatch("configmaps").withholdInitialEventsEnd();
        String uri = "/api/v1/configmaps?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
                + "&timeoutSeconds=1";
        assertThat(requests.get(uri).body()).contains("\"name\":\"c\"").doesNotContain("initial-events-end");
        assertThat(requests.get(uri).body()).contains("initial-events-end");
    }

    /** A watch that goes on from a version is none, and nor is one of another resource. */
    @ParameterizedTest
    @EnumSource
    void meansStreamingListsAlone(Way way) {
        Requests requests = over(way);
        Fault refused = server.faults().onStreamingList("configmaps").always().internalError();
        String stream = "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1";
        assertThat(requests.get("/api/v1/configmaps" + stream).body()).contains("\"code\":500");
        assertThat(requests.get("/api/v1/configmaps?watch=true&timeoutSeconds=1").body()).contains("\"name\":\"c\"");
        assertThat(requests.get("/api/v1/pods" + stream).body()).contains("initial-events-end");
        assertThat(refused.happened(PATIENCE).block().request()).startsWith("watch configmaps");
        assertThat(refused).hasToString("fault \"streaming list configmaps 500 Internal error occurred: on command\"");
    }

    @ParameterizedTest
    @EnumSource
    void stallsAndDelays(Way way) {
        Requests requests = over(way);
        Fault stalled = server.faults().onList("configmaps").stall();
        StepVerifier.create(requests.answer("GET", LIST, Headers.empty(), null))
                .expectSubscription()
                .then(() -> assertThat(stalled.happened(PATIENCE).block()).isNotNull())
                .expectNoEvent(Duration.ofMillis(300))
                .thenCancel()
                .verify(PATIENCE);
        Fault delayed = server.faults().onList("configmaps").delay(Duration.ofMillis(50));
        assertThat(requests.get(LIST).status()).isEqualTo(200);
        assertThat(delayed.happened(PATIENCE).block()).isNotNull();
    }

    @ParameterizedTest
    @EnumSource
    void choosesByNamespaceGroupAndTurn(Way way) {
        Requests requests = over(way);
        server.faults().on("list", "deployments.apps").skip(1).in("prod").internalError();
        assertThat(requests.get("/apis/apps/v1/namespaces/test/deployments").status()).isEqualTo(200);
        assertThat(requests.get("/apis/apps/v1/namespaces/prod/deployments").status()).isEqualTo(200);
        assertThat(requests.get("/apis/apps/v1/namespaces/prod/deployments").status()).isEqualTo(500);
        assertThat(requests.get("/apis/apps/v1/namespaces/prod/deployments").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void forgetsWhatHappenedWhenTheServerIsReset(Way way) {
        Requests requests = over(way);
        server.faults().onList("configmaps").internalError();
        requests.get(LIST);
        server.reset();
        server.faults().onList("configmaps").notReady();
        requests.get(LIST);
        assertThat(server.faults().occurrences().map(Fault.Occurrence::fault).blockFirst(PATIENCE))
                .startsWith("list configmaps 503");
        assertThat(server.log()).hasSize(2).last().asString().contains("fault: list configmaps 503");
    }

    private static List<String> namesUntilEnd(Requests requests) {
        return requests.get(WATCH + "&timeoutSeconds=1").body().lines()
                .map(line -> line.replaceAll(".*\"name\":\"([^\"]*)\".*", "$1"))
                .toList();
    }
}
