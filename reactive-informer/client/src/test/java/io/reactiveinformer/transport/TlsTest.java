package io.reactiveinformer.transport;

import com.sun.management.UnixOperatingSystemMXBean;
import io.netty.channel.Channel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.reactiveinformer.Rounds;
import io.reactiveinformer.config.Certificates;
import io.reactiveinformer.config.Certificates.Issued;
import io.reactiveinformer.config.Cluster.Endpoint;
import io.reactiveinformer.config.Cluster.Trust;
import io.reactiveinformer.config.Credential;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(NoLinesOfNetty.class)
class TlsTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Certificates authority = Certificates.authority("cluster-ca");
    private final AtomicReference<@Nullable Endpoint> endpoint = new AtomicReference<>();
    private final Transport transport = Transport.overSockets(Mono.fromSupplier(endpoint::get), TransportOptions.defaults());
    private final Sinks.Empty<Void> rotated = Sinks.empty();
    private @Nullable DisposableServer server;

    @AfterEach
    void close() {
        transport.dispose().block(LIMIT);
        if (server != null) {
            server.disposeNow(LIMIT);
        }
    }

    private void serve(Issued identity, ClientAuth clientAuth) throws SSLException {
        SslContext tls = SslContextBuilder.forServer(identity.key(), identity.certificate())
                .trustManager(authority.self().certificate())
                .clientAuth(clientAuth)
                .build();
        server = HttpServer.create()
                .host("127.0.0.1")
                .secure(spec -> spec.sslContext(tls))
                .handle((request, response) -> response.sendString(Flux.just("who is ").concatWith(Mono.just("there"))))
                .bindNow(LIMIT);
        use("127.0.0.1", Trust.authorities(List.of(authority.self().certificate()), "/etc/ca.crt"), null);
    }

    private void use(String host, Trust trust, Credential.@Nullable Identity identity) {
        endpoint.set(new Endpoint(URI.create("https://" + host + ":" + server.port()), trust, identity, null, true));
    }

    private Trust trusted() {
        return endpoint.get().trust();
    }

    private StepVerifier.FirstStep<String> request() {
        return StepVerifier.create(transport.exchange(
                HttpRequest.get("/version", Headers.of("Authorization", "Bearer s3cret")),
                answer -> answer.body().map(bytes -> bytes.toString(StandardCharsets.UTF_8)).reduce("", String::concat)));
    }

    private void succeeds() {
        request().expectNext("who is there").expectComplete().verify(LIMIT);
    }

    private void failsSaying(String... parts) {
        request().expectErrorSatisfies(failure -> assertThat(failure)
                        .isInstanceOf(TransportException.class)
                        .hasMessageStartingWith("cannot reach " + endpoint.get().server() + ": ")
                        .hasMessageContainingAll(parts)
                        .hasMessageNotContaining("s3cret"))
                .verify(LIMIT);
    }

    @Test
    void believesAServerThatTheAuthoritySigned() throws SSLException {
        serve(authority.issue("apiserver", "127.0.0.1"), ClientAuth.NONE);
        succeeds();
    }

    @Test
    void anotherAuthorityIsNamedAndWhereItWasConfigured() throws SSLException {
        serve(authority.issue("apiserver", "127.0.0.1"), ClientAuth.NONE);
        use("127.0.0.1", Trust.authorities(List.of(Certificates.authority("other-ca").self().certificate()), "/etc/other.crt"), null);
        failsSaying("the server's certificate (CN=apiserver, issued by CN=cluster-ca) is not signed by an authority of",
                "/etc/other.crt (CN=other-ca)");
    }

    @Test
    void withoutAnAuthorityTheRuntimesOwnAreNamed() throws SSLException {
        serve(authority.issue("apiserver", "127.0.0.1"), ClientAuth.NONE);
        use("127.0.0.1", Trust.system(), null);
        failsSaying("issued by CN=cluster-ca) is not signed by an authority of the Java runtime's trust store");
    }

    @Test
    void aCertificateForAnotherHostIsNamedWithItsNames() throws SSLException {
        serve(authority.issue("apiserver", "kubernetes.default", "10.0.0.1"), ClientAuth.NONE);
        failsSaying("is for [kubernetes.default, 10.0.0.1], not for 127.0.0.1; use one of its names, or set tls-server-name to one");
    }

    @Test
    void theNameToExpectCanBeSaid() throws SSLException {
        serve(authority.issue("apiserver", "kubernetes.default"), ClientAuth.NONE);
        use("127.0.0.1", trusted().withServerName("kubernetes.default"), null);
        succeeds();
        use("127.0.0.1", trusted().withServerName("another.name"), null);
        failsSaying("is for [kubernetes.default], not for another.name");
    }

    /** A caller that says which name to expect does not mean the address. */
    @Test
    void theAddressDoesNotServeInPlaceOfTheName() throws SSLException {
        serve(authority.issue("apiserver", "127.0.0.1"), ClientAuth.NONE);
        use("127.0.0.1", trusted().withServerName("kubernetes.default"), null);
        failsSaying("is for [127.0.0.1], not for kubernetes.default");
        use("localhost", trusted().withServerName("127.0.0.1"), null);
        succeeds();
    }

    @Test
    void anExpiredCertificateIsSaidToBeOne() throws SSLException {
        Instant yesterday = Instant.now().minus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
        serve(authority.issueWith("EC", "apiserver", yesterday.minus(1, ChronoUnit.DAYS), yesterday, "127.0.0.1"), ClientAuth.NONE);
        failsSaying("(CN=apiserver, issued by CN=cluster-ca) expired on " + yesterday);
    }

    @Test
    void skippingTheCheckBelievesAnyone() throws SSLException {
        serve(Certificates.authority("stranger").issue("apiserver", "elsewhere"), ClientAuth.NONE);
        use("127.0.0.1", Trust.insecure(), null);
        succeeds();
    }

    @Test
    void showsAClientCertificateOfEveryKind() throws SSLException {
        serve(authority.issue("apiserver", "127.0.0.1"), ClientAuth.REQUIRE);
        for (String algorithm : List.of("RSA", "EC", "Ed25519")) {
            Issued me = authority.issueWith(algorithm, "me");
            use("127.0.0.1", trusted(), new Credential.Identity(List.of(me.certificate()), me.key()));
            succeeds();
        }
    }

    @Test
    void aMissingClientCertificateIsSaidToBeMissing() throws SSLException {
        serve(authority.issue("apiserver", "127.0.0.1"), ClientAuth.REQUIRE);
        failsSaying("the server requires a client certificate, and none is configured");
    }

    @Test
    void aRefusedClientCertificateIsNamed() throws SSLException {
        serve(authority.issue("apiserver", "127.0.0.1"), ClientAuth.REQUIRE);
        Issued stranger = Certificates.authority("stranger").issue("me");
        use("127.0.0.1", trusted(), new Credential.Identity(List.of(stranger.certificate()), stranger.key()));
        failsSaying("the server refused our client certificate CN=me");
    }

    /** As when the kubelet renews what is mounted: new authority, new certificate, and fifty watches under way. */
    @Test
    void certificatesRotateUnderOpenWatches() throws SSLException {
        Certificates next = Certificates.authority("next-ca");
        Issued server = authority.issue("apiserver", "127.0.0.1");
        Issued before = authority.issue("before");
        Issued after = next.issue("after");
        SslContext tls = SslContextBuilder.forServer(server.key(), server.certificate())
                .trustManager(authority.self().certificate(), next.self().certificate()).clientAuth(ClientAuth.REQUIRE).build();
        Sinks.Many<String> events = Sinks.many().replay().all();
        this.server = HttpServer.create().host("127.0.0.1").secure(spec -> spec.sslContext(tls))
                .handle((request, response) -> {
                    var peer = new AtomicReference<String>();
                    request.withConnection(connection -> peer.set(peer(connection.channel())));
                    return response.sse().sendString(events.asFlux().map(event -> event + " to " + peer + "\n"));
                })
                .bindNow(LIMIT);
        Trust old = Trust.authorities(List.of(authority.self().certificate()), "/etc/ca.crt");
        use("127.0.0.1", old, new Credential.Identity(List.of(before.certificate()), before.key()));
        events.tryEmitNext("one");
        StepVerifier.create(watches(50).mergeWith(Flux.defer(() -> watches(50)).delaySubscription(rotated.asMono())))
                .expectNextSequence(Collections.nCopies(50, "one to CN=before\n"))
                .then(() -> {
                    use("127.0.0.1", Trust.authorities(List.of(authority.self().certificate(), next.self().certificate()), "/etc/ca.crt"),
                            new Credential.Identity(List.of(after.certificate()), after.key()));
                    rotated.tryEmitEmpty();
                })
                .expectNextSequence(Collections.nCopies(50, "one to CN=after\n"))
                .then(() -> events.tryEmitNext("two"))
                .recordWith(ArrayList::new)
                .expectNextCount(100)
                .consumeRecordedWith(lines -> {
                    assertThat(lines).filteredOn("two to CN=before\n"::equals).as("open watches lost nothing").hasSize(50);
                    assertThat(lines).filteredOn("two to CN=after\n"::equals).hasSize(50);
                })
                .then(events::tryEmitComplete)
                .expectComplete()
                .verify(LIMIT);
    }

    private Flux<String> watches(int count) {
        return Flux.range(0, count).flatMap(
                i -> transport.exchange(HttpRequest.get("/watch", Headers.empty()),
                        answer -> answer.body().map(bytes -> bytes.toString(StandardCharsets.UTF_8))), count);
    }

    private static String peer(Channel channel) {
        try {
            return ((X509Certificate) channel.pipeline().get(SslHandler.class).engine().getSession().getPeerCertificates()[0])
                    .getSubjectX500Principal().toString();
        } catch (SSLPeerUnverifiedException unknown) {
            throw new AssertionError(unknown);
        }
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES) // a hang is noticed by each handshake's own limit
    void aThousandFailedHandshakesLeaveNothingOpen() throws Exception {
        serve(authority.issue("apiserver", "127.0.0.1"), ClientAuth.NONE);
        Trust right = trusted();
        succeeds();
        var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long before = system.getOpenFileDescriptorCount();
        use("127.0.0.1", Trust.authorities(List.of(Certificates.authority("other-ca").self().certificate()), "/etc/other.crt"), null);
        StepVerifier.create(Flux.range(0, Rounds.many(1000, 150))
                .flatMap(i -> transport.exchange(HttpRequest.get("/version", Headers.empty()),
                answer -> answer.body().then(Mono.just(answer.status())))
                                .onErrorReturn(TransportException.class, -1), 20)
                        .timeout(LIMIT)
                        .distinct())
                .expectNext(-1).verifyComplete();
        // a connection closes a moment after its exchange has failed; one kept open from before is closed, and the selectors of loops may
        // come
        long left = Flux.interval(Duration.ofMillis(20)).map(i -> system.getOpenFileDescriptorCount() - before)
                .takeUntil(more -> more < 20).take(Duration.ofSeconds(10))
                .blockLast();
        assertThat(left).isLessThan(20);
        use("127.0.0.1", right, null);
        succeeds();
    }

    @Test
    void newConnectionsUseNewCertificatesWhileOldOnesGoOn() throws SSLException {
        serve(authority.issue("apiserver", "127.0.0.1"), ClientAuth.NONE);
        Trust right = trusted();
        request().expectNext("who is there").expectComplete().verify(LIMIT);
        use("127.0.0.1", Trust.authorities(List.of(Certificates.authority("other-ca").self().certificate()), "/etc/other.crt"), null);
        failsSaying("is not signed");
        use("127.0.0.1", right, null);
        succeeds();
    }
}
