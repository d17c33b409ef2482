package io.reactiveinformer.guide;

import io.kubernetes.client.openapi.models.V1EndpointSlice;
import io.reactiveinformer.guide.gateway.Gateway;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** The gateway of docs/guide/gateway.md, with the page's own YAML, before two backends of one service. */
@Timeout(120)
class GatewayGuideTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ResourceType<V1EndpointSlice> SLICES = ResourceType.of(V1EndpointSlice.class);

    private final FakeApiServer server = FakeApiServer.create().start();
    private final DisposableServer one = backend("one");
    private final DisposableServer other = backend("other");
    private ConfigurableApplicationContext gateway;

    private static DisposableServer backend(String name) {
        return HttpServer.create().host("127.0.0.1").port(0)
                .handle((request, response) -> response.status(request.uri().startsWith("/missing") ? 404 : 200)
                        .header("Backend", name).sendString(
                        request.receive().aggregate().asString().defaultIfEmpty("")
                                .map(body -> request.method() + " " + request.uri() + " " + body)))
                .bindNow();
    }

    @BeforeEach
    @Timeout(120)
    void start(@TempDir Path directory) throws Exception {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        create("cart-1", one.port());
        create("cart-2", other.port());
        String page = Files.readString(GuideSnippetsTest.root().resolve("docs/guide/gateway.md"));
        Files.writeString(directory.resolve("application.yaml"), page.split("```yaml\n", -1)[1].split("```", -1)[0]);
        gateway = SpringApplication.run(Gateway.class, "--spring.config.location=" + directory.toUri(),
                "--spring.main.web-application-type=reactive",
                "--server.port=0", "--spring.main.banner-mode=off",
                "--reactive-informer.wait-for-sync=30s", "--reactive-informer.url=" + server.url());
    }

    @AfterEach
    void close() {
        if (gateway != null) {
            gateway.close();
        }
        one.disposeNow(PATIENCE);
        other.disposeNow(PATIENCE);
        server.close();
        System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
    }

    private void create(String slice, int port) {
        server.objects().create("{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: "
                + slice + ", namespace: shop, labels: "
                + "{kubernetes.io/service-name: cart}}, addressType: IPv4, endpoints: [{addresses: [127.0.0.1], conditions: {ready: "
                + "true}}], ports: [{port: " + port + "}]}");
    }

    private HttpResponse<String> ask(String path) throws Exception {
        return send(HttpRequest.newBuilder(uri(path)).build());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + gateway.getEnvironment().getProperty("local.server.port") + path);
    }

    private static HttpResponse<String> send(HttpRequest request) throws Exception {
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    private Set<String> backendsOf(int requests) throws Exception {
        Set<String> backends = new TreeSet<>();
        for (int i = 0; i < requests; i++) {
            backends.add(ask("/cart/items").headers().firstValue("Backend").orElseThrow());
        }
        return backends;
    }

    private ObjectNode ready(ObjectNode slice, boolean ready) {
        ((ArrayNode) slice.get("endpoints")).forEach(endpoint -> ((ObjectNode) endpoint.get("conditions")).put("ready", ready));
        return slice;
    }

    private void mark(String name, boolean ready) {
        ObjectKey key = ObjectKey.of("shop", name);
        server.objects().edit(SLICES, key, slice -> ready(slice, ready));
        await(key, slice -> slice.getEndpoints().stream().allMatch(endpoint -> endpoint.getConditions().getReady() == ready));
    }

    @SuppressWarnings("unchecked")
    private void await(ObjectKey key, Predicate<V1EndpointSlice> condition) {
        Informer<V1EndpointSlice> slices = gateway.getBean("slicesInformer", Informer.class);
        slices.await(key, condition).block(PATIENCE);
    }

    @Test
    void passesARequestOnToAReadyEndpoint() throws Exception {
        assertThat(ask("/cart/items?page=2&q=a%20b").body()).isEqualTo("GET /items?page=2&q=a%20b ");
        assertThat(send(HttpRequest.newBuilder(uri("/cart/items")).POST(BodyPublishers.ofString("tea")).build()).body())
                .isEqualTo("POST /items tea");
        assertThat(ask("/cart/missing").statusCode()).isEqualTo(404);
        assertThat(backendsOf(4)).containsExactly("one", "other");
    }

    @Test
    void anEndpointThatIsNotReadyIsNotAsked() throws Exception {
        mark("cart-2", false);
        assertThat(backendsOf(4)).containsExactly("one");
        mark("cart-1", false);
        assertThat(ask("/cart/items").statusCode()).isEqualTo(503);
        mark("cart-2", true);
        assertThat(backendsOf(4)).containsExactly("other");
    }

    @Test
    void aServiceWithoutEndpointsIsUnavailable() throws Exception {
        assertThat(ask("/tea/items").statusCode()).isEqualTo(503);
    }

    @Test
    void aSliceWithoutPortsOrEndpointsIsPassedBy() throws Exception {
        List<String> bare = List.of("addressType: IPv4, endpoints: [{addresses: [127.0.0.1]}], ports: []",
                "addressType: IPv4, endpoints: [{addresses: [127.0.0.1]}]",
                "addressType: IPv4, endpoints: [{addresses: [127.0.0.1]}], ports: [{name: any}]",
                "addressType: IPv4, ports: [{port: 80}]",
                "addressType: IPv4, endpoints: [], ports: [{port: 80}]",
                "addressType: IPv6, endpoints: [{addresses: ['fd00::1']}], ports: [{port: 80}]");
        for (int i = 0; i < bare.size(); i++) {
            slice("bare-" + i, "bare-" + i, bare.get(i));
            slice("cart-bare-" + i, "cart", bare.get(i));
        }
        for (int i = 0; i < bare.size(); i++) {
            assertThat(ask("/bare-" + i + "/items").statusCode()).as(bare.get(i)).isEqualTo(503);
        }
        assertThat(backendsOf(20)).containsExactly("one", "other");
    }

    private void slice(String name, String service, String rest) {
        server.objects().create("{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: " + name
                + ", namespace: shop, labels: {kubernetes.io/service-name: " + service + "}}, " + rest + "}");
        await(ObjectKey.of("shop", name), slice -> true);
    }

    @Test
    void anEndpointThatDoesNotAnswerIsABadGateway() throws Exception {
        mark("cart-2", false);
        one.disposeNow(PATIENCE);
        assertThat(ask("/cart/items").statusCode()).isEqualTo(502);
    }
}
