package io.reactiveinformer.reflector;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.reactiveinformer.backoff.Backoff;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.Certificates;
import io.reactiveinformer.config.Certificates.Issued;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.config.Credential;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.source.ListerWatcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.http.Http11SslContextSpec;
import reactor.netty.http.server.HttpServer;
import reactor.netty.tcp.SslProvider.GenericSslContextSpec;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** A credential or certificate was the cause of a pause of ten minutes. The pause ends when it is replaced. */
class CredentialChangeTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration PAUSE = Duration.ofMinutes(10);
    private static final String LIST =
            "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[]}";

    @TempDir
    Path directory;

    private final AtomicInteger refusals = new AtomicInteger();

    private DisposableServer serve(Issued identity) {
        return HttpServer.create().host("127.0.0.1")
                .secure(spec -> spec.sslContext((GenericSslContextSpec<SslContextBuilder>)
                        Http11SslContextSpec.forServer(identity.key(), new X509Certificate[] {identity.certificate()})))
                .handle((request, response) -> {
                    if ("Bearer good".equals(request.requestHeaders().get("Authorization"))) {
                        return response.header("Content-Type", "application/json").sendString(Mono.just(LIST));
                    }
                    refusals.incrementAndGet();
                    return response.status(401).sendString(Mono.just("{\"kind\":\"Status\",\"code\":401,\"reason\":\"Unauthorized\"}"));
                })
                .bindNow(LIMIT);
    }

    private void write(String name, String content) {
        try {
            Path next = Files.writeString(directory.resolve(name + ".next"), content);
            Files.move(next, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    private ClusterConfig config(int port) throws IOException {
        return ClusterConfig.kubeconfig(Files.writeString(directory.resolve("config"), """
                current-context: here
                clusters: [{name: c, cluster: {server: 'https://127.0.0.1:%d', certificate-authority: ca.crt}}]
                users: [{name: u, user: {tokenFile: token}}]
                contexts: [{name: here, context: {cluster: c, user: u}}]
                """.formatted(port)));
    }

    /** @param repair called after the first failure, half a second into the pause */
    private void listsAfter(ClusterConfig config, Runnable repair) {
        try (KubernetesClient client = KubernetesClient.create(config)) {
            var options = ReflectorOptions.defaults().withBackoff(Backoff.between(PAUSE, PAUSE));
            var maps = ListerWatcher.over(client, ResourceType.dynamic("", "v1", "configmaps"), Namespaces.all());
            Reflector.of(maps, options).events()
                    .concatMap(event -> event instanceof ReflectorEvent.Disrupted
                            ? Mono.delay(Duration.ofMillis(500), Schedulers.boundedElastic())
                                    .doOnNext(now -> repair.run()).thenReturn(event)
                            : Mono.just(event), 1)
                    .ofType(ReflectorEvent.ListingEnded.class)
                    .blockFirst(LIMIT);
        }
    }

    @Test
    void aTokenFile() throws IOException {
        Certificates authority = Certificates.authority("cluster-ca");
        DisposableServer server = serve(authority.issue("apiserver", "127.0.0.1"));
        write("ca.crt", authority.self().certificatePem());
        write("token", "revoked");
        listsAfter(config(server.port()), () -> write("token", "good"));
        server.disposeNow(LIMIT);
        assertThat(refusals).hasValue(1);
    }

    @Test
    void aTokenFileThatWasAbsent() throws IOException {
        Certificates authority = Certificates.authority("cluster-ca");
        DisposableServer server = serve(authority.issue("apiserver", "127.0.0.1"));
        write("ca.crt", authority.self().certificatePem());
        listsAfter(config(server.port()), () -> write("token", "good"));
        server.disposeNow(LIMIT);
        assertThat(refusals).hasValue(0);
    }

    @Test
    void aTokenInTheKubeconfig() throws IOException {
        Certificates authority = Certificates.authority("cluster-ca");
        DisposableServer server = serve(authority.issue("apiserver", "127.0.0.1"));
        write("ca.crt", authority.self().certificatePem());
        ClusterConfig config = config(server.port());
        String text = Files.readString(directory.resolve("config"));
        write("config", text.replace("tokenFile: token", "token: revoked"));
        listsAfter(config, () -> write("config", text.replace("tokenFile: token", "token: good")));
        server.disposeNow(LIMIT);
        assertThat(refusals).hasValue(1);
    }

    @Test
    void aClientCertificate() throws IOException {
        Certificates authority = Certificates.authority("cluster-ca");
        Issued identity = authority.issue("apiserver", "127.0.0.1");
        SslContext tls = SslContextBuilder.forServer(identity.key(), identity.certificate())
                .trustManager(authority.self().certificate()).clientAuth(ClientAuth.REQUIRE).build();
        DisposableServer server = HttpServer.create().host("127.0.0.1").secure(spec -> spec.sslContext(tls))
                .handle((request, response) -> response.header("Content-Type", "application/json").sendString(Mono.just(LIST)))
                .bindNow(LIMIT);
        write("ca.crt", authority.self().certificatePem());
        write(Certificates.authority("another-ca").issue("me"));
        ClusterConfig config = config(server.port());
        write("config", Files.readString(directory.resolve("config"))
                .replace("tokenFile: token", "client-certificate: me.crt, client-key: me.key"));
        listsAfter(config, () -> write(authority.issue("me")));
        server.disposeNow(LIMIT);
    }

    private void write(Issued identity) {
        write("me.crt", identity.certificatePem());
        write("me.key", identity.pkcs8Pem());
    }

    @Test
    void aFileOfAuthorities() throws IOException {
        Certificates authority = Certificates.authority("cluster-ca");
        DisposableServer server = serve(authority.issue("apiserver", "127.0.0.1"));
        write("ca.crt", Certificates.authority("old-ca").self().certificatePem());
        write("token", "good");
        listsAfter(config(server.port()), () -> write("ca.crt", authority.self().certificatePem()));
        server.disposeNow(LIMIT);
    }

    @Test
    void aSourceOfTheApplication() throws IOException {
        Certificates authority = Certificates.authority("cluster-ca");
        DisposableServer server = serve(authority.issue("apiserver", "127.0.0.1"));
        write("ca.crt", authority.self().certificatePem());
        write("token", "");
        var token = new AtomicReference<>("revoked");
        var source = new Credential.Source() {
            @Override
            public Mono<Credential> current() {
                return Mono.fromSupplier(() -> Credential.bearer(token.get()));
            }

            @Override
            public void refused(Credential credential) {
                // it is replaced by somebody else
            }
        };
        listsAfter(config(server.port()).credentials(source), () -> token.set("good"));
        server.disposeNow(LIMIT);
        assertThat(refusals).hasValue(1);
    }

    /** Each look emits another one, and each is refused: that is no news. */
    @Test
    void aSourceThatSignsANewTokenEachTimeIsNotAskedEachSecond() throws IOException {
        Certificates authority = Certificates.authority("cluster-ca");
        DisposableServer server = serve(authority.issue("apiserver", "127.0.0.1"));
        write("ca.crt", authority.self().certificatePem());
        var signed = new AtomicInteger();
        var source = new Credential.Source() {
            @Override
            public Mono<Credential> current() {
                return Mono.fromSupplier(() -> Credential.bearer("signed-" + signed.incrementAndGet()));
            }

            @Override
            public void refused(Credential credential) {
                // there is a new one each time
            }
        };
        try (KubernetesClient client = KubernetesClient.create(config(server.port()).credentials(source))) {
            var options = ReflectorOptions.defaults().withBackoff(Backoff.between(PAUSE, PAUSE));
            var maps = ListerWatcher.over(client, ResourceType.dynamic("", "v1", "configmaps"), Namespaces.all());
            StepVerifier.create(Reflector.of(maps, options).events().ofType(ReflectorEvent.Disrupted.class))
                    .expectNextCount(1).expectNoEvent(Duration.ofSeconds(4)).thenCancel().verify(LIMIT);
        }
        server.disposeNow(LIMIT);
        assertThat(refusals.get()).as("one try, and once more with another token").isEqualTo(2);
        assertThat(signed.get()).as("looks at the source").isGreaterThan(3);
    }
}
