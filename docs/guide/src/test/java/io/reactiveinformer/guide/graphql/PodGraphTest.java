package io.reactiveinformer.guide.graphql;

import io.kubernetes.client.openapi.models.V1Pod;
import io.netty.channel.ChannelOption;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.Memory;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.graphql.client.WebSocketGraphQlClient;
import org.springframework.web.reactive.socket.client.ReactorNettyWebSocketClient;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClient;
import reactor.util.retry.Retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The page docs/guide/graphql.md over a WebSocket. */
@Timeout(120)
class PodGraphTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final int STATES = 400;
    private static final ObjectKey WEB = ObjectKey.of("shop", "web");

    private final FakeApiServer server = FakeApiServer.create().start();
    private final ConcurrentLinkedQueue<Connection> connections = new ConcurrentLinkedQueue<>();
    private ConfigurableApplicationContext application;
    private WebSocketGraphQlClient client;

    /** Of the system, so that little is on its way to a client that does not read. */
    @Import(PodGraph.class)
    static class WithSmallBuffers {

        @Bean
        NettyServerCustomizer small() {
            return http -> http.childOption(ChannelOption.SO_SNDBUF, 65_536);
        }
    }

    @BeforeEach
    @Timeout(120)
    void start() {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        create("web", "Running");
        application = run(WithSmallBuffers.class, server, 0);
        var http = HttpClient.create().option(ChannelOption.SO_RCVBUF, 16_384).doOnConnected(connections::add);
        client = WebSocketGraphQlClient.create(address(), new ReactorNettyWebSocketClient(http));
    }

    static ConfigurableApplicationContext run(Class<?> program, FakeApiServer server, int port) {
        return SpringApplication.run(program, "--server.port=" + port, "--spring.main.banner-mode=off",
                "--spring.graphql.websocket.path=/graphql",
                "--spring.graphql.schema.locations=classpath*:io/reactiveinformer/guide/graphql/",
                "--reactive-informer.informers.pods.type=V1Pod", "--reactive-informer.wait-for-sync=30s",
                "--reactive-informer.url=" + server.url());
    }

    private URI address() {
        return URI.create("ws://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port") + "/graphql");
    }

    @AfterEach
    void stop() {
        client.stop().block(PATIENCE);
        application.close();
        server.close();
        System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
    }

    private void create(String name, String phase) {
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: shop, labels: {app: " + name
                + "}}, spec: {containers: [{name: main, image: i}]}, status: {phase: " + phase + "}}");
    }

    private static final String CHANGES = """
            subscription ($since: String) {
                podChanges(since: $since) {
                    __typename
                    position
                    ... on Row { pod { key phase } }
                    ... on Gone { key }
                }
            }""";

    private static final ParameterizedTypeReference<Map<String, Object>> CHANGE = new ParameterizedTypeReference<>() {};

    static Flux<Map<String, Object>> changes(WebSocketGraphQlClient client, AtomicReference<@Nullable String> position) {
        return Flux.defer(() -> client.document(CHANGES).variable("since", position.get()).retrieveSubscription("podChanges").toEntity(CHANGE))
                .doOnNext(change -> position.set((String) change.get("position")))
                .repeatWhen(completed -> completed.concatMap(end -> client.stop().then(client.start())))
                .retryWhen(Retry.backoff(Long.MAX_VALUE, Duration.ofMillis(100)).maxBackoff(Duration.ofSeconds(5)));
    }

    /** Of a change that the client has received. */
    static String text(Map<String, Object> change) {
        Object of = change.getOrDefault("pod", change.getOrDefault("key", ""));
        return (change.get("__typename") + " " + (of instanceof Map<?, ?> pod ? pod.get("key") + " " + pod.get("phase") : of)).strip();
    }

    private static void assertNext(BlockingQueue<String> received, String... expected) throws InterruptedException {
        for (String one : expected) {
            assertThat(received.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(one);
        }
    }

    @Test
    void aClientThatComesBackContinues() throws Exception {
        BlockingQueue<String> received = new LinkedTransferQueue<>();
        var position = new AtomicReference<@Nullable String>();
        Disposable subscription = changes(client, position).subscribe(change -> received.add(text(change)));
        assertNext(received, "Reset", "Row shop/web Running", "Synced");
        connections.forEach(Connection::dispose);
        create("db", "Pending");
        server.objects().deleteNow(PODS, WEB);
        assertNext(received, "Row shop/db Pending", "Gone shop/web");
        subscription.dispose();
    }

    @Test
    void aServerThatStopsSendsClientsElsewhere() throws Exception {
        BlockingQueue<String> received = new LinkedTransferQueue<>();
        Disposable subscription = changes(client, new AtomicReference<>()).subscribe(change -> received.add(text(change)));
        assertNext(received, "Reset", "Row shop/web Running", "Synced");
        int port = address().getPort();
        long begun = System.nanoTime();
        application.close();
        assertThat(System.nanoTime() - begun).as("without waiting for connections").isLessThan(20_000_000_000L);
        application = run(WithSmallBuffers.class, server, port);
        assertNext(received, "Reset", "Row shop/web Running", "Synced");
        subscription.dispose();
    }

    @Test
    void whatIsNoPositionIsABeginning() {
        String other = "0" + memory().position();
        for (String hostile : List.of("forged", other, "\u0000\n\"}", "x".repeat(50_000))) {
            var changes = changes(client, new AtomicReference<>(hostile)).take(3).map(PodGraphTest::text).collectList().block(PATIENCE);
            assertThat(changes).containsExactly("Reset", "Row shop/web Running", "Synced");
        }
        assertThat(memory().subscribers()).isLessThanOrEqualTo(4);
    }

    @SuppressWarnings("unchecked")
    private Memory<ObjectKey, PodGraph.PodRow> memory() {
        return application.getBean("podMemory", Memory.class);
    }

    @Test
    void aQueryIsLimited() {
        create("db", "Pending");
        while (page("shop", "", 1).total() < 2) {
            Thread.onSpinWait();
        }
        assertThat(page("shop", "", 1)).isEqualTo(new PodGraph.PodPage(List.of(new PodGraph.PodRow("shop/db", "Pending")), 2));
        assertThat(page("shop", "app=web", 100).pods()).containsExactly(new PodGraph.PodRow("shop/web", "Running"));
        assertThat(page("shop", "", -1).pods()).isEmpty();
        assertThat(page("elsewhere", "", 100).total()).isZero();
        assertThatThrownBy(() -> page("shop", "app in (", 100)).hasMessageContaining("BAD_REQUEST").hasMessageContaining("app in (");
    }

    private PodGraph.PodPage page(String namespace, String labels, int limit) {
        return client.document("query ($n: String!, $l: String!, $m: Int!) {"
                        + " pods(namespace: $n, labels: $l, limit: $m) { pods { key phase } total } }")
                .variable("n", namespace).variable("l", labels).variable("m", limit)
                .retrieve("pods").toEntity(PodGraph.PodPage.class).block(PATIENCE);
    }

    @Test
    void aSlowClientReceivesTheNewestState() throws Exception {
        BlockingQueue<String> received = new LinkedTransferQueue<>();
        Disposable subscription = changes(client, new AtomicReference<>()).subscribe(change -> received.add(text(change)));
        assertNext(received, "Reset", "Row shop/web Running", "Synced");
        connections.forEach(connection -> connection.channel().config().setAutoRead(false));
        var seen = new AtomicInteger();
        memory().changesSince(memory().position(), Delivery.conflated()).subscribe(change -> seen.incrementAndGet());
        String large = "x".repeat(10_000);
        for (int i = 1; i <= STATES; i++) {
            String phase = i + large;
            server.objects().edit(PODS, WEB, pod -> {
                pod.withObject("status").put("phase", phase);
                return pod;
            });
            while (seen.get() < i + 1) {
                Thread.onSpinWait();
            }
        }
        connections.forEach(connection -> connection.channel().config().setAutoRead(true));
        int read = 0;
        for (String next = ""; !next.startsWith("Row shop/web " + STATES + "x"); read++) {
            next = received.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(next).as("after " + read).isNotNull();
        }
        assertThat(read).as("32 of the subscription, 128 of the connection, and what fits into the buffers").isBetween(32, STATES - 100);
        subscription.dispose();
    }
}
