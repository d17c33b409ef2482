package io.reactiveinformer.client;

import io.netty.buffer.Unpooled;
import io.reactiveinformer.config.Certificates;
import io.reactiveinformer.config.Certificates.Issued;
import io.reactiveinformer.config.Cluster;
import io.reactiveinformer.config.Cluster.Impersonation;
import io.reactiveinformer.config.Cluster.Trust;
import io.reactiveinformer.config.ConfigException;
import io.reactiveinformer.config.Credential;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnauthorizedException;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import io.reactiveinformer.transport.Transport;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

class AuthenticatedTransportTest {

    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final HttpRequest REQUEST = HttpRequest.get("/x", Headers.empty());

    private final List<HttpRequest> requests = new ArrayList<>();
    private final List<String> shown = new ArrayList<>();
    private final AtomicInteger refusals = new AtomicInteger();

    /** Accepts only a client that sends {@code accepted}. */
    private Transport server(String accepted) {
        return new Transport() {
            @Override
            public <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
                return Flux.defer(() -> {
                    String authorization = request.headers().first("Authorization").orElse("none");
                    requests.add(request);
                    shown.add(authorization);
                    int status = authorization.equals("Bearer " + accepted) ? 200 : 401;
                    return reader.apply(new Transport.Answer(status, Headers.empty(), Flux.defer(() ->
                            Flux.just(Unpooled.copiedBuffer("body", StandardCharsets.UTF_8)))));
                });
            }

            @Override
            public Mono<Void> dispose() {
                return Mono.empty();
            }
        };
    }

    /** The first token until it is refused, then the second. */
    private Credential.Source tokens(Mono<Credential> first, Mono<Credential> second) {
        return new Credential.Source() {
            @Override
            public Mono<Credential> current() {
                return Mono.defer(() -> refusals.get() == 0 ? first : second);
            }

            @Override
            public void refused(Credential credential) {
                refusals.incrementAndGet();
            }
        };
    }

    private Flux<Integer> request(Transport server, Credential.Source credentials) {
        var cluster = new Cluster(URI.create("https://host:443"), "default", Mono.just(Trust.system()), credentials, null, null, true);
        return new AuthenticatedTransport(server, Mono.just(cluster), Schedulers.single())
                .exchange(REQUEST, answer -> Mono.just(answer.status()));
    }

    @Test
    void showsWhoWeAre() {
        StepVerifier.create(request(server("good"), Credential.Source.of(Credential.bearer("good"))))
                .expectNext(200).expectComplete().verify(LIMIT);
        assertThat(shown).containsExactly("Bearer good");
    }

    /** A plugin gives another certificate, at a price. */
    @ParameterizedTest
    @CsvSource({"Received fatal alert: bad_certificate, 1", "Connection closed while SSL/TLS handshake was in progress, 0"})
    void aCertificateIsRefusedByAnAlertOnly(String text, int refused) {
        Issued me = Certificates.authority("ca").issue("me");
        Mono<Credential> credential = Mono.just(new Credential(null, new Credential.Identity(List.of(me.certificate()), me.key())));
        var closed = new TransportException("cannot reach https://host:443", new SSLHandshakeException(text));
        StepVerifier.create(request(new ScriptedTransport().thenFail(closed), tokens(credential, credential)))
                .expectError(TransportException.class).verify(LIMIT);
        assertThat(refusals).hasValue(refused);
    }

    /** 240: impersonation. */
    @Test
    void saysAsWhomWeAct() {
        var other = new Impersonation("jane", "4711", List.of("admins", "night shift"), Map.of("example.com/Scope %", List.of("a", "b")));
        var cluster = new Cluster(
                URI.create("https://host:443"), "default", Mono.just(Trust.system()), Credential.Source.of(Credential.bearer("good")),
                other, null, true);
        HttpRequest own = HttpRequest.get("/x", Headers.of("impersonate-user", "joe"));
        for (HttpRequest request : List.of(REQUEST, own)) {
            var transport = new AuthenticatedTransport(server("good"), Mono.just(cluster), Schedulers.single());
            StepVerifier.create(transport.exchange(request, answer -> Mono.just(answer.status())))
                    .expectNext(200).expectComplete().verify(LIMIT);
        }
        var sent = new ArrayList<String>();
        requests.get(0).headers().forEach((name, value) -> sent.add(name + ": " + value));
        assertThat(sent).containsExactlyInAnyOrder(
                "Authorization: Bearer good", "Impersonate-User: jane", "Impersonate-Uid: 4711", "Impersonate-Group: admins",
                "Impersonate-Group: night shift", "Impersonate-Extra-example.com%2FScope%20%25: a",
                "Impersonate-Extra-example.com%2FScope%20%25: b");
        assertThat(requests.get(1).headers().all("Impersonate-User")).as("what the caller said stays").containsExactly("joe");
        assertThat(requests.get(1).headers().all("Impersonate-Group")).isEmpty();
    }

    /** 237: TestTokenSourceTransportRoundTrip. */
    @Test
    void renewsARefusedCredentialOnceAndAsksAgain() {
        var credentials = tokens(Mono.just(Credential.bearer("old")), Mono.just(Credential.bearer("good")));
        StepVerifier.create(request(server("good"), credentials)).expectNext(200).expectComplete().verify(LIMIT);
        assertThat(shown).containsExactly("Bearer old", "Bearer good");
    }

    @Test
    void doesNotAskAgainWithTheSameCredential() {
        StepVerifier.create(request(server("good"), Credential.Source.of(Credential.bearer("bad"))))
                .expectNext(401).expectComplete().verify(LIMIT);
        assertThat(shown).containsExactly("Bearer bad");
    }

    @Test
    void doesNotAskAThirdTime() {
        var credentials = tokens(Mono.just(Credential.bearer("old")), Mono.just(Credential.bearer("new")));
        StepVerifier.create(request(server("good"), credentials)).expectNext(401).expectComplete().verify(LIMIT);
        assertThat(shown).containsExactly("Bearer old", "Bearer new");
    }

    @Test
    void whatKeepsTheCredentialFromBeingRenewedIsTheFailure() {
        var credentials = tokens(Mono.just(Credential.bearer("old")), Mono.error(new ConfigException("the plugin failed")));
        StepVerifier.create(request(server("good"), credentials)).expectErrorMessage("the plugin failed").verify(LIMIT);
    }

    /** 240: round_trippers_test. */
    @Test
    void anAuthorizationThatTheCallerSetIsNotReplaced() {
        var cluster = new Cluster(
                URI.create("https://host:443"), "default", Mono.just(Trust.system()), Credential.Source.of(Credential.bearer("ours")),
                null, null, true);
        HttpRequest own = HttpRequest.get("/x", Headers.of("authorization", "Bearer theirs"));
        StepVerifier.create(new AuthenticatedTransport(server("theirs"), Mono.just(cluster), Schedulers.single())
                .exchange(own, answer -> Mono.just(answer.status())))
                .expectNext(200).expectComplete().verify(LIMIT);
        assertThat(shown).containsExactly("Bearer theirs");
    }

    /** The server says Unauthorized, whatever the reason. */
    @ParameterizedTest
    @CsvSource({
        "2027-01-01T00:00:00Z, '401 Unauthorized: cannot list x: Unauthorized; the client certificate CN=me expired on "
                + "2026-12-31T23:00:00Z; it must be renewed, or a clock is wrong'",
        "2025-01-01T00:00:00Z, '401 Unauthorized: cannot list x: Unauthorized; the client certificate CN=me is valid only from "
                + "2026-01-01T00:00:00Z; a clock is wrong'",
        "2026-06-01T00:00:00Z, 401 Unauthorized: cannot list x: Unauthorized"})
    void aRefusalSaysIfTheClientCertificateIsTheReason(Instant now, String message) {
        var clock = VirtualTimeScheduler.create();
        clock.advanceTimeTo(now);
        var me = Certificates.authority("ca").issueWith("EC", "me", Instant.parse("2026-01-01T00:00:00Z"),
                Instant.parse("2026-12-31T23:00:00Z"));
        Credential expired = Credential.none().withIdentity(new Credential.Identity(List.of(me.certificate()), me.key()));
        var cluster = new Cluster(
                URI.create("https://host:443"), "default", Mono.just(Trust.system()), Credential.Source.of(expired), null, null, true);
        StepVerifier.create(new AuthenticatedTransport(server("good"), Mono.just(cluster), clock).exchange(REQUEST, answer ->
                        Mono.error(StatusException.of(Status.of(401, "Unauthorized", "Unauthorized"), "list x"))))
                .expectErrorSatisfies(refusal -> assertThat(refusal).isInstanceOf(UnauthorizedException.class).hasMessage(message))
                .verify(LIMIT);
    }
}
