package io.reactiveinformer.laws.informer;

import io.reactiveinformer.backoff.Backoff;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import io.reactiveinformer.view.InformerStatus.State;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** How soon an informer is live again after the cause of an outage is gone. */
@Timeout(60)
class LiveAgainTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final ResourceType<JsonNode> NOTES = ResourceType.dynamic("", "v1", "configmaps");

    @TempDir
    Path directory;

    /** Ten outages of a program with production's options, each of another length. The server is ready, and then nothing changes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withinSixSecondsOfReadinessHoweverLongNobodyServed(boolean acceptsAndCloses) {
        VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
        try (FakeApiServer server = FakeApiServer.builder().scheduler(time).build()) {
            var balancer = new Balancer(server.transport(), acceptsAndCloses);
            KubernetesClient client = KubernetesClient.over(balancer);
            InformerFactory informers = InformerFactory.create(client, ReflectorOptions.defaults().withTimer(time));
            Informer<JsonNode> notes = informers.of(NOTES);
            informers.start();
            time.advanceTimeBy(Duration.ofSeconds(5));
            for (int seconds = 30; seconds <= 180; seconds += 17) {
                time.advanceTimeBy(Duration.ofMinutes(3)); // all is well
                balancer.nobodyServes.set(true);
                server.restartKeeping(100); // ends the watches
                time.advanceTimeBy(Duration.ofSeconds(seconds));
                assertThat(notes.status().blockFirst().state()).isEqualTo(State.DISRUPTED);
                balancer.nobodyServes.set(false);
                time.advanceTimeBy(Duration.ofSeconds(6));
                assertThat(notes.status().blockFirst().state()).as("after %d s", seconds).isEqualTo(State.LIVE);
            }
            client.close();
        } finally {
            VirtualTimeScheduler.reset();
        }
    }

    /** Fails as sockets do while nobody serves. */
    private static final class Balancer implements Transport {

        private final Transport server;
        private final boolean acceptsAndCloses;
        private final AtomicBoolean nobodyServes = new AtomicBoolean();

        Balancer(Transport server, boolean acceptsAndCloses) {
            this.server = server;
            this.acceptsAndCloses = acceptsAndCloses;
        }

        @Override
        public <R> Flux<R> exchange(HttpRequest request, Function<Answer, ? extends Publisher<R>> reader) {
            return Flux.defer(() -> !nobodyServes.get() ? server.exchange(request, reader) : Flux.error(acceptsAndCloses
                    ? TransportException.lostBeforeAnswer("the connection was closed before the end", null)
                    : new TransportException("connection refused", new ConnectException())));
        }

        @Override
        public Mono<Void> dispose() {
            return server.dispose();
        }
    }

    /** The first pause would be 20 s or more, but for what the closed connections tell. */
    @Test
    void overSocketsBehindABalancerThatAcceptsAndCloses() throws Exception {
        try (FakeApiServer server = FakeApiServer.create().start(); var balancer = new Doorman(URI.create(server.url()).getPort());
                KubernetesClient client = KubernetesClient.create(ClusterConfig.of(balancer.url()))) {
            InformerFactory informers = InformerFactory.create(client, ReflectorOptions.defaults()
                    .withBackoff(Backoff.between(Duration.ofSeconds(20), Duration.ofSeconds(60))));
            Informer<JsonNode> notes = informers.of(NOTES);
            informers.start();
            await(notes, State.LIVE);
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: default}}");
            notes.await(ObjectKey.of("default", "a"), note -> true).block(LIMIT); // a watch that was of use is resumed at once
            balancer.turnAway();
            notes.status().filter(status -> status.attempt() >= 3).blockFirst(LIMIT);
            balancer.letIn();
            assertThat(await(notes, State.LIVE)).isLessThan(Duration.ofSeconds(6));
        }
    }

    /** The pause after the refusal is ten minutes. The machine may be busy once, but not three times. */
    @Test
    void withinTwoSecondsOfARotatedTokenFile() throws Exception {
        try (FakeApiServer server = FakeApiServer.builder().tls().build()) {
            server.access().admin("good", "me");
            server.start();
            Files.writeString(directory.resolve("ca.crt"), server.caCertificate());
            Path config = Files.writeString(directory.resolve("config"), """
                    current-context: here
                    clusters: [{name: c, cluster: {server: '%s', certificate-authority: ca.crt}}]
                    users: [{name: u, user: {tokenFile: token}}]
                    contexts: [{name: here, context: {cluster: c, user: u}}]
                    """.formatted(server.url()));
            Duration shortest = LIMIT;
            for (int i = 0; i < 3 && shortest.compareTo(Duration.ofSeconds(2)) > 0; i++) {
                Duration taken = fromTokenToLive(config);
                shortest = taken.compareTo(shortest) < 0 ? taken : shortest;
            }
            assertThat(shortest).isLessThanOrEqualTo(Duration.ofSeconds(2));
        }
    }

    private Duration fromTokenToLive(Path config) throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "revoked");
        try (KubernetesClient client = KubernetesClient.create(ClusterConfig.kubeconfig(config))) {
            Informer<JsonNode> notes = InformerFactory.create(client, ReflectorOptions.defaults()
                    .withBackoff(Backoff.between(Duration.ofMinutes(10), Duration.ofMinutes(10)))).of(NOTES);
            notes.start();
            notes.status().filter(status -> status.state() == State.DISRUPTED && status.retryIn() != null).blockFirst(LIMIT);
            Files.move(Files.writeString(directory.resolve("next"), "good"), token, StandardCopyOption.ATOMIC_MOVE);
            return await(notes, State.LIVE);
        }
    }

    private static Duration await(Informer<JsonNode> notes, State state) {
        long began = System.nanoTime();
        notes.status().filter(status -> status.state() == state).blockFirst(LIMIT);
        return Duration.ofNanos(System.nanoTime() - began);
    }

    /** A proxy for TCP. While it turns connections away, it accepts them and closes them. */
    private static final class Doorman implements AutoCloseable {

        private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final List<Socket> open = new CopyOnWriteArrayList<>();
        private final int server;
        private volatile boolean turnsAway;

        Doorman(int server) throws IOException {
            this.server = server;
            daemon(this::accept);
        }

        String url() {
            return "http://127.0.0.1:" + listener.getLocalPort();
        }

        void turnAway() throws IOException {
            turnsAway = true;
            for (Socket socket : open) {
                socket.close();
            }
        }

        void letIn() {
            turnsAway = false;
        }

        private void accept() {
            while (!listener.isClosed()) {
                try {
                    Socket here = listener.accept();
                    open.add(here);
                    if (turnsAway) {
                        here.close();
                        continue;
                    }
                    var there = new Socket(InetAddress.getLoopbackAddress(), server);
                    open.add(there);
                    daemon(() -> pump(here, there));
                    daemon(() -> pump(there, here));
                } catch (IOException over) {
                    // by the other side, or for good
                }
            }
        }

        private static void pump(Socket from, Socket to) {
            try (from; to; InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
                in.transferTo(out);
            } catch (IOException over) {
                // by one of the sides
            }
        }

        private static void daemon(Runnable work) {
            var thread = new Thread(work, "doorman");
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void close() throws IOException {
            listener.close();
            turnAway();
        }
    }
}
