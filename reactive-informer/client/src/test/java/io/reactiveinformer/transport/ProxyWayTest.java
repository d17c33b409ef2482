package io.reactiveinformer.transport;

import io.netty.handler.ssl.SslContextBuilder;
import io.reactiveinformer.config.Certificates;
import io.reactiveinformer.config.Certificates.Issued;
import io.reactiveinformer.config.Cluster.Endpoint;
import io.reactiveinformer.config.Cluster.Trust;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.tcp.SslProvider.GenericSslContextSpec;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** A server that no DNS knows: it can be reached through the proxy only. */
class ProxyWayTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String BASE64_OF_ME_AND_SECRET = "bWU6czNjcmV0";

    private final Certificates authority = Certificates.authority("cluster-ca");
    private final Set<String> versions = ConcurrentHashMap.newKeySet();
    private @Nullable DisposableServer server;
    private @Nullable Transport transport;

    @BeforeEach
    void serve() {
        Issued identity = authority.issue("apiserver", "kube.invalid");
        server = HttpServer.create().host("127.0.0.1")
                .protocol(HttpProtocol.H2, HttpProtocol.HTTP11)
                .secure(spec -> spec.sslContext((GenericSslContextSpec<SslContextBuilder>)
                        Http2SslContextSpec.forServer(identity.key(), new X509Certificate[] {identity.certificate()})))
                .handle((request, response) -> {
                    versions.add(request.protocol());
                    return response.sendString(Mono.just("hello"));
                })
                .bindNow(LIMIT);
    }

    @AfterEach
    void close() {
        if (transport != null) {
            transport.dispose().block(LIMIT);
        }
        server.disposeNow(LIMIT);
    }

    private StepVerifier.FirstStep<String> through(String proxy, TransportOptions options) {
        Endpoint resolved = ClusterConfig.of("https://kube.invalid:" + server.port()).proxy(URI.create(proxy))
                .cluster().block(LIMIT).endpoint().block(LIMIT);
        var endpoint = new Endpoint(
                resolved.server(), Trust.authorities(List.of(authority.self().certificate()), "/etc/ca.crt"), null, resolved.proxy(), true);
        transport = Transport.overSockets(Mono.just(endpoint), options);
        return StepVerifier.create(transport.exchange(HttpRequest.get("/version", Headers.empty()), answer ->
                answer.body().map(bytes -> bytes.toString(StandardCharsets.UTF_8))));
    }

    private StepVerifier.FirstStep<String> through(String proxy) {
        return through(proxy, TransportOptions.defaults());
    }

    @ParameterizedTest
    @CsvSource({"http, true", "http, false", "socks5, true", "socks5, false"})
    void reachesTheServerByName(String scheme, boolean http2) throws IOException {
        try (LittleProxy proxy = LittleProxy.start(null)) {
            through(scheme + "://127.0.0.1:" + proxy.port(), TransportOptions.defaults().withHttp2(http2))
                    .expectNext("hello").expectComplete().verify(LIMIT);
            assertThat(proxy.targets()).containsExactly("kube.invalid:" + server.port());
            assertThat(versions).containsExactly(http2 ? "HTTP/2.0" : "HTTP/1.1");
        }
    }

    @ParameterizedTest
    @CsvSource({"http, " + BASE64_OF_ME_AND_SECRET, "socks5, me:s3cret"})
    void showsUserAndPassword(String scheme, String shown) throws IOException {
        try (LittleProxy proxy = LittleProxy.start(shown)) {
            through(scheme + "://me:s3cret@127.0.0.1:" + proxy.port()).expectNext("hello").expectComplete().verify(LIMIT);
        }
    }

    @Test
    void speaksTlsWithAProxyThatWantsItAndHttp1Through() throws Exception {
        Issued identity = authority.issue("proxy", "127.0.0.1");
        try (LittleProxy proxy = new LittleProxy(listener(identity), BASE64_OF_ME_AND_SECRET)) {
            through("https://me:s3cret@127.0.0.1:" + proxy.port()).expectNext("hello").expectComplete().verify(LIMIT);
            assertThat(proxy.targets()).containsExactly("kube.invalid:" + server.port());
            assertThat(versions).containsExactly("HTTP/1.1");
        }
    }

    @Test
    void aProxyThatIsNotBelievedIsDistinguishedFromTheServer() throws Exception {
        try (LittleProxy proxy = new LittleProxy(listener(authority.issue("proxy", "elsewhere")), null)) {
            fails("https://127.0.0.1:" + proxy.port(),
                    "the proxy's certificate (CN=proxy, issued by CN=cluster-ca) is for [elsewhere], not for 127.0.0.1");
            assertThat(proxy.targets()).isEmpty();
        }
    }

    private static ServerSocket listener(Issued identity) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("proxy", identity.key(), new char[0], new Certificate[] {identity.certificate()});
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[0]);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), null, null);
        return tls.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @Test
    void aProxyThatRefusesUsIsNamedWithoutTheSecret() throws IOException {
        try (LittleProxy proxy = LittleProxy.start("someone-else")) {
            fails("http://me:s3cret@127.0.0.1:" + proxy.port(),
                    "the proxy http://127.0.0.1:" + proxy.port() + " did not connect to the server", "407");
        }
    }

    @Test
    void aProxyThatIsNotThereIsNamed() throws IOException {
        int port;
        try (var nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = nobody.getLocalPort();
        }
        fails("socks5://127.0.0.1:" + port, "the proxy socks5://127.0.0.1:" + port
                + " refused the connection; is it running, and is this its port?");
        fails("http://no-such-proxy.invalid",
                "the DNS does not know the proxy http://no-such-proxy.invalid:80; check its address and the DNS");
    }

    private void fails(String proxy, String... parts) {
        through(proxy)
                .expectErrorSatisfies(failure -> assertThat(failure)
                        .isInstanceOf(TransportException.class)
                        .hasMessageStartingWith("cannot reach https://kube.invalid:" + server.port() + ": ")
                        .hasMessageContainingAll(parts)
                        .hasMessageNotContaining("s3cret"))
                .verify(LIMIT);
        transport.dispose().block(LIMIT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "socks5"})
    void aProxyThatAcceptsAndNeverAnswersIsGivenUp(String scheme) throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String proxy = scheme + "://127.0.0.1:" + silent.getLocalPort();
            through(proxy, TransportOptions.defaults().withConnectTimeout(Duration.ofMillis(300)))
                    .expectErrorSatisfies(failure -> assertThat(failure)
                            .isInstanceOf(TransportException.class)
                            .hasMessageStartingWith("cannot reach https://kube.invalid:" + server.port()
                                    + ": the proxy " + proxy + " did not connect to the server: ")
                            .hasMessageContaining("timeout"))
                    .verify(LIMIT);
        }
    }
}
