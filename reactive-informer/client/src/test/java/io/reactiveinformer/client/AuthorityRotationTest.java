package io.reactiveinformer.client;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContextBuilder;
import io.reactiveinformer.config.Certificates;
import io.reactiveinformer.config.Certificates.Issued;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.resource.TransportException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.tcp.SslProvider.GenericSslContextSpec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The file of authorities is replaced, and the server's certificate with it, a moment after it was read. */
class AuthorityRotationTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private final List<Channel> connections = new CopyOnWriteArrayList<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final Certificates before = Certificates.authority("old-ca");
    private final Certificates after = Certificates.authority("new-ca");

    private DisposableServer serve(Certificates authority, int port) {
        Issued identity = authority.issue("apiserver", "127.0.0.1");
        return HttpServer.create().bindAddress(() -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .protocol(HttpProtocol.H2, HttpProtocol.HTTP11)
                .secure(spec -> spec.sslContext((GenericSslContextSpec<SslContextBuilder>)
                        Http2SslContextSpec.forServer(identity.key(), new X509Certificate[] {identity.certificate()})))
                .doOnChannelInit((observer, channel, remote) -> connections.add(channel))
                .handle((request, response) -> {
                    requests.incrementAndGet();
                    return response.sendString(Mono.just("ok"));
                })
                .bindNow(LIMIT);
    }

    private void write(Certificates authority) throws IOException {
        Files.writeString(directory.resolve("ca.crt"), authority.self().certificatePem());
    }

    private ClusterConfig config(int port) throws IOException {
        return ClusterConfig.kubeconfig(Files.writeString(directory.resolve("config"), """
                current-context: here
                clusters: [{name: c, cluster: {server: 'https://127.0.0.1:%d', certificate-authority: ca.crt}}]
                contexts: [{name: here, context: {cluster: c}}]
                """.formatted(port)));
    }

    @Test
    void theFirstRequestsAfterTheChangeUseTheNewAuthority() throws IOException {
        write(before);
        DisposableServer server = serve(before, 0);
        int port = server.port();
        try (var client = KubernetesClient.create(config(port))) {
            assertThat(client.raw().text("/version").block(LIMIT)).isEqualTo("ok");
            server.disposeNow(LIMIT);
            connections.forEach(connection -> connection.close().syncUninterruptibly());
            server = serve(after, port);
            write(after);
            assertThat(Flux.range(0, 20).flatMap(i -> client.raw().text("/version")).collectList().block(LIMIT)).hasSize(20);
        } finally {
            server.disposeNow(LIMIT);
        }
    }

    @Test
    void aServerThatIsNotBelievedByTheFileAsItIsIsTriedOnce() throws IOException {
        write(before);
        DisposableServer server = serve(after, 0);
        try (var client = KubernetesClient.create(config(server.port()))) {
            assertThatThrownBy(() -> client.raw().text("/version").block(LIMIT))
                    .isInstanceOf(TransportException.class).hasMessageContaining("is not signed by an authority of");
            assertThat(requests).hasValue(0);
        } finally {
            server.disposeNow(LIMIT);
        }
    }
}
