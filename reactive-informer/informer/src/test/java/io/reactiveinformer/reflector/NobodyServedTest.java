package io.reactiveinformer.reflector;

import io.reactiveinformer.backoff.Backoff;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.transport.OverSockets;
import io.reactiveinformer.transport.RawPeer;
import io.reactiveinformer.transport.Transport;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Exceptions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** The ways in which a load balancer without a living server turns a connection away. */
class NobodyServedTest extends OverSockets {

    enum Way {
        CLOSES, RESETS, CLOSES_AFTER_HELLO, RESETS_AFTER_HELLO, ALERTS, SPEAKS_HTTP;

        void play(Socket socket) throws IOException {
            if (this != CLOSES && this != RESETS) {
                socket.getInputStream().read(new byte[64]);
            }
            switch (this) {
                case RESETS, RESETS_AFTER_HELLO -> socket.setSoLinger(true, 0);
                case ALERTS -> socket.getOutputStream().write(new byte[] {21, 3, 3, 0, 2, 2, 80}); // fatal: internal_error
                case SPEAKS_HTTP -> socket.getOutputStream()
                        .write("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                default -> { }
            }
            socket.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aHandshakeThatIsCutIsARefusedConnection(Way way) throws IOException {
        try (var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            serve(listener, way);
            URI address = URI.create("https://127.0.0.1:" + listener.getLocalPort());
            Transport transport = to(address);
            for (int i = 0; i < 5; i++) {
                Throwable failure = Exceptions.unwrap(catchThrowable(
                        () -> transport.exchange(get("/pods"), OverSockets::text).blockLast(LIMIT)));
                assertThat(failure).isInstanceOf(TransportException.class).hasMessageStartingWith("cannot reach " + address + ": ")
                        .hasMessageNotContaining("Exception");
                assertThat(failure.getCause()).isInstanceOf(ConnectException.class);
                assertThat(((TransportException) failure).beforeAnswer()).as("it has not even been sent").isFalse();
                if (way != Way.ALERTS && way != Way.SPEAKS_HTTP) {
                    assertThat(failure).hasMessageEndingWith(
                            "the connection was closed during the TLS handshake;"
                            + " is there a load balancer without a living server in between?");
                }
            }
        }
    }

    /** The first pause would be 20 s or more. */
    @ParameterizedTest
    @EnumSource
    void anInformerAsksAgainSoon(Way way) throws IOException {
        try (var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            serve(listener, way);
            ClusterConfig config = ClusterConfig.of("https://127.0.0.1:" + listener.getLocalPort()).insecure();
            assertThat(firstPause(config)).isLessThanOrEqualTo(Duration.ofSeconds(5));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            502 | text/html  | <html><head><title>502 Bad Gateway</title>
            503 | text/html  | <html><body><h1>503 Service Unavailable</h1>No server is available to handle this request.
            503 | text/plain | no healthy upstream
            504 | text/html  | <html><head><title>504 Gateway Time-out</title>
            """)
    void anInformerAsksAgainSoonAfterAGatewaysAnswer(int code, String contentType, String body) throws IOException {
        try (RawPeer peer = RawPeer.start(line -> line.send("HTTP/1.1 " + code + " No\r\nContent-Type: " + contentType
                + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body))) {
            assertThat(firstPause(ClusterConfig.of(peer.address().toString()))).isLessThanOrEqualTo(Duration.ofSeconds(5));
        }
    }

    private static Duration firstPause(ClusterConfig config) {
        try (KubernetesClient client = KubernetesClient.create(config)) {
            var options = ReflectorOptions.defaults().withBackoff(Backoff.between(Duration.ofSeconds(20), Duration.ofSeconds(60)));
            var pods = ListerWatcher.over(client, ResourceType.dynamic("", "v1", "pods"), Namespaces.all());
            return Reflector.of(pods, options).events().ofType(ReflectorEvent.Disrupted.class).blockFirst(LIMIT).retryIn();
        }
    }

    private static void serve(ServerSocket listener, Way way) {
        var thread = new Thread(() -> {
            while (!listener.isClosed()) {
                try {
                    way.play(listener.accept());
                } catch (IOException over) {
                    // by the other side, or for good
                }
            }
        }, "balancer");
        thread.setDaemon(true);
        thread.start();
    }
}
