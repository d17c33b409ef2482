package io.reactiveinformer.client;

import io.netty.handler.ssl.SslContextBuilder;
import io.reactiveinformer.config.Certificates;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.config.Credential;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.DisposableServer;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.tcp.SslProvider.GenericSslContextSpec;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** A token file is replaced, its old token is refused, and fifty watches are under way. */
class TokenRotationTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int WATCHES = 50;
    private static final int EVENTS = 20;

    @TempDir
    Path directory;

    private final Certificates authority = Certificates.authority("cluster-ca");
    private final Sinks.Many<Integer> events = Sinks.many().replay().all();
    private final Sinks.Empty<Void> rotation = Sinks.empty();
    private final AtomicInteger refusals = new AtomicInteger();
    private final Set<Credential> loaded = Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
    private volatile String accepted = "old";

    private DisposableServer serve() {
        Certificates.Issued identity = authority.issue("apiserver", "127.0.0.1");
        return HttpServer.create().host("127.0.0.1")
                .protocol(HttpProtocol.H2, HttpProtocol.HTTP11)
                .http2Settings(settings -> settings.maxConcurrentStreams(100))
                .secure(spec -> spec.sslContext((GenericSslContextSpec<SslContextBuilder>)
                        Http2SslContextSpec.forServer(identity.key(), new X509Certificate[] {identity.certificate()})))
                .handle((request, response) -> {
                    if (!("Bearer " + accepted).equals(request.requestHeaders().get("Authorization"))) {
                        refusals.incrementAndGet();
                        return response.status(401).sendString(Mono.just("{\"kind\":\"Status\",\"code\":401,\"reason\":\"Unauthorized\"}"));
                    }
                    return response.sse().header("Content-Type", "application/json").sendString(watch(request));
                })
                .bindNow(LIMIT);
    }

    /** What came after the version asked for, until the rotation ends what was begun before it. */
    private Flux<String> watch(HttpServerRequest request) {
        int from = Integer.parseInt(request.uri().replaceFirst(".*[?&]resourceVersion=([0-9]+).*", "$1"));
        Flux<String> later = events.asFlux().filter(version -> version > from).map(version ->
                "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"e" + version + "\",\"uid\":\"u"
                        + version + "\",\"resourceVersion\":\"" + version + "\"}}}\n");
        return accepted.equals("old") ? later.takeUntilOther(rotation.asMono()) : later;
    }

    private Credential.Source counted(Credential.Source credentials) {
        return new Credential.Source() {
            @Override
            public Mono<Credential> current() {
                return credentials.current().doOnNext(loaded::add); // each that is read from the file is another object
            }

            @Override
            public void refused(Credential credential) {
                credentials.refused(credential);
            }
        };
    }

    private ClusterConfig config(int port) throws IOException {
        Files.writeString(directory.resolve("token"), "old");
        Files.writeString(directory.resolve("ca.crt"), authority.self().certificatePem());
        ClusterConfig config = ClusterConfig.kubeconfig(Files.writeString(directory.resolve("config"), """
                current-context: here
                clusters: [{name: c, cluster: {server: 'https://127.0.0.1:%d', certificate-authority: ca.crt}}]
                users: [{name: u, user: {tokenFile: token}}]
                contexts: [{name: here, context: {cluster: c, user: u}}]
                """.formatted(port)));
        return config.credentials(counted(config.cluster().block(LIMIT).credentials()));
    }

    /** Watches on from where it came to, as a reflector does. */
    private static Flux<Integer> watcher(ResourceClient<JsonNode> widgets) {
        var last = new AtomicInteger();
        return Flux.defer(() -> widgets.watch(Namespaces.all(), WatchOptions.from(last.toString(), Duration.ofMinutes(5)), Reading.anew()))
                .ofType(ObjectEvent.Applied.class)
                .map(added -> Integer.parseInt(String.valueOf(added.entry().resourceVersion())))
                .doOnNext(last::set)
                .repeat();
    }

    @Test
    void noEventIsLostAndTheFileIsReadOnceMore() throws IOException {
        DisposableServer server = serve();
        try (var client = KubernetesClient.create(config(server.port()))) {
            ResourceClient<JsonNode> widgets = client.resources(ResourceType.dynamic("example.com", "v1", "widgets"));
            var halves = new AtomicInteger();
            List<List<Integer>> received = Flux.range(0, WATCHES)
                    .flatMap(i -> watcher(widgets)
                            .doOnNext(version -> {
                                if (version == EVENTS / 2 && halves.incrementAndGet() == WATCHES) {
                                    rotate();
                                }
                            })
                            .take(EVENTS).collectList(), WATCHES)
                    .doOnSubscribe(begun -> emit(1, EVENTS / 2))
                    .collectList().block(LIMIT);
            assertThat(received).hasSize(WATCHES).containsOnly(IntStream.rangeClosed(1, EVENTS).boxed().collect(Collectors.toList()));
            assertThat(refusals.get()).as("watches that found the token refused").isBetween(1, WATCHES);
            assertThat(loaded).as("the token at first, and once again").hasSize(2);
        } finally {
            server.disposeNow(LIMIT);
        }
    }

    private void rotate() {
        try {
            Files.writeString(directory.resolve("token"), "new");
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
        accepted = "new";
        rotation.tryEmitEmpty();
        emit(EVENTS / 2 + 1, EVENTS);
    }

    private void emit(int from, int to) {
        IntStream.rangeClosed(from, to).forEach(version -> events.emitNext(version, Sinks.EmitFailureHandler.FAIL_FAST));
    }
}
