package io.reactiveinformer.test;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.netty.handler.ssl.SslContextBuilder;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.faults.Cut;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.netty.http.Http11SslContextSpec;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.HttpClient;
import reactor.netty.tcp.SslProvider.GenericSslContextSpec;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** The server over sockets, by each protocol that a client may choose. */
class HttpShellTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String CONFIG_MAPS = "/api/v1/namespaces/t/configmaps";

    private @TempDir Path home;
    private FakeApiServer server = FakeApiServer.create();

    @AfterEach
    void close() {
        server.close();
    }

    private void withTls() {
        server.close();
        server = FakeApiServer.builder().tls().build();
        server.start();
    }

    private KubernetesClient client(String kubeconfig) throws IOException {
        Path file = Files.writeString(Files.createTempFile(home, "kube", "config"), kubeconfig);
        return KubernetesClient.create(ClusterConfig.kubeconfig(file));
    }

    private static HttpClient plain(HttpProtocol... protocols) {
        return HttpClient.newConnection().protocol(protocols);
    }

    private String version(HttpClient client) {
        return client.get().uri(server.start().url() + CONFIG_MAPS).response().map(response -> response.version().text()).block(PATIENCE);
    }

    @Test
    void servesBothVersionsOfHttpWithoutTls() {
        assertThat(version(plain(HttpProtocol.HTTP11))).isEqualTo("HTTP/1.1");
        assertThat(version(plain(HttpProtocol.H2C))).isEqualTo("HTTP/2.0");
    }

    @Test
    void letsTheClientChooseTheVersionOfHttpWithTls() throws GeneralSecurityException, IOException {
        withTls();
        TrustManagerFactory trust = trusting(server.caCertificate());
        for (HttpProtocol protocol : new HttpProtocol[] {HttpProtocol.HTTP11, HttpProtocol.H2}) {
            GenericSslContextSpec<SslContextBuilder> context = protocol == HttpProtocol.H2
                    ? Http2SslContextSpec.forClient().configure(builder -> builder.trustManager(trust))
                    : Http11SslContextSpec.forClient().configure(builder -> builder.trustManager(trust));
            assertThat(version(plain(protocol).secure(spec -> spec.sslContext(context))))
                    .isEqualTo(protocol == HttpProtocol.H2 ? "HTTP/2.0" : "HTTP/1.1");
        }
    }

    private static TrustManagerFactory trusting(String authority) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        var certificates = CertificateFactory.getInstance("X.509");
        store.setCertificateEntry("ca",
                certificates.generateCertificate(new ByteArrayInputStream(authority.getBytes(StandardCharsets.US_ASCII))));
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return trust;
    }

    @Test
    void knowsUsersByTheirCertificates() throws IOException {
        withTls();
        server.access().user("secret", "guest").allow("jane", "list", "configmaps", null);
        ResourceType<V1ConfigMap> configMaps = ResourceType.of(V1ConfigMap.class);
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t}}");
        for (String user : new String[] {"jane", "joe", "guest", "admin"}) {
            KubernetesClient client = client(user.equals("admin") ? server.kubeconfig() : server.kubeconfig(user));
            try {
                var list = client.resources(configMaps).listAll(Namespaces.of("t"), ListOptions.defaults())
                        .map(object -> object.getMetadata().getName());
                switch (user) {
                    case "jane", "admin" -> StepVerifier.create(list).expectNext("a").expectComplete().verify(PATIENCE);
                    default -> StepVerifier.create(list)
                            .expectErrorSatisfies(failure -> assertThat(failure).hasMessageContaining("\"" + user + "\"")).verify(PATIENCE);
                }
            } finally {
                client.close();
            }
        }
    }

    @Test
    @Timeout(300)
    void kubectlUsesTheKubeconfig() throws IOException {
        withTls();
        server.access().user("secret", "guest").allow("guest", "list", "pods", null);
        var kubectl = new Kubectl(server, home);
        Path admin = Files.writeString(home.resolve("admin"), server.kubeconfig());
        Path guest = Files.writeString(home.resolve("guest"), server.kubeconfig("guest"));
        assertThat(kubectl.with(admin).run("create", "namespace", "shop")).contains("created");
        assertThat(kubectl.with(guest).run("get", "pods")).contains("No resources found");
        assertThat(kubectl.tryRun("get", "namespaces").output()).contains("Forbidden", "\"guest\"");
    }

    @Test
    void cutsTheWholeConnectionOfHttp2() {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t}}");
        server.faults().onWatch("configmaps").after(1).events().cut(Cut.RST);
        String uri = server.start().url() + CONFIG_MAPS + "?watch=true&resourceVersion=0";
        StepVerifier.create(plain(HttpProtocol.H2C).get().uri(uri).responseContent().asString())
                .expectNextMatches(event -> event.contains("\"ADDED\""))
                .expectError(IOException.class)
                .verify(PATIENCE);
    }

    @Test
    void compressesWhatIsLargeAndHasAnEnd() throws IOException {
        for (int i = 0; i < 40; i++) {
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: c"
                    + i + ", namespace: t}, data: {k: '" + "x".repeat(5_000) + "'}}");
        }
        var encoding = new AtomicReference<String>();
        byte[] list = get("", encoding);
        assertThat(encoding).hasValue("gzip");
        assertThat(list).hasSizeLessThan(10_000);
        assertThat(new String(new GZIPInputStream(new ByteArrayInputStream(list)).readAllBytes(), StandardCharsets.UTF_8))
                .contains("\"c39\"").endsWith("}\n");
        assertThat(get("?limit=3", encoding)).hasSizeGreaterThan(15_000);
        assertThat(encoding).hasValue(null);
        get("?watch=true&resourceVersion=0&timeoutSeconds=1", encoding);
        assertThat(encoding).hasValue(null);
    }

    private byte[] get(String query, AtomicReference<String> encoding) {
        return plain(HttpProtocol.HTTP11)
                .headers(headers -> headers.set("Accept-Encoding", "gzip"))
                .get()
                .uri(server.start().url() + CONFIG_MAPS + query)
                .responseSingle((response, body) -> {
                    encoding.set(response.responseHeaders().get("Content-Encoding"));
                    return body.asByteArray();
                })
                .block(PATIENCE);
    }
}
