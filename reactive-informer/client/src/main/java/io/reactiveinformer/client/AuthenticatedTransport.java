package io.reactiveinformer.client;

import io.reactiveinformer.config.Cluster;
import io.reactiveinformer.config.Credential;
import io.reactiveinformer.internal.Causes;
import io.reactiveinformer.internal.Remedy;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnauthorizedException;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Adds the credential to each request. If the server rejects it (401) and the source has a newer one, the request is sent once more with
 * that. If the server's certificate is not trusted and the configured authorities have changed, the request is sent once more with the new
 * ones. If there is nothing newer, the failure has a {@link Remedy}, so that its caller does not pause for longer than that.
 */
final class AuthenticatedTransport implements Transport {

    /** How often the configuration is looked at while somebody pauses since the server, or its certificate, was refused. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Transport transport;
    private final Mono<Cluster> cluster;
    private final AtomicReference<@Nullable Cluster> known = new AtomicReference<>();
    private final Scheduler clock;
    private volatile boolean disposed;

    AuthenticatedTransport(Transport transport, Mono<Cluster> cluster, Scheduler clock) {
        this.transport = transport;
        this.clock = clock;
        this.cluster = cluster.doOnNext(found -> {
            known.set(found);
            if (disposed) {
                found.close().subscribe();
            }
        });
    }

    /** Reads the configuration and fetches the credential, as a request does. */
    Mono<Void> checkConfiguration() {
        return cluster.flatMap(Cluster::endpoint).then();
    }

    @Override
    public <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
        return cluster.flatMapMany(known -> {
            Credential.Source source = known.credentials();
            HttpRequest asSomeone = Impersonating.as(known.impersonation(), request);
            return known.trust().flatMapMany(believed -> authenticated(source, asSomeone, reader)
                    .onErrorResume(AuthenticatedTransport::isNotBelieved, failure -> {
                        known.refused(believed);
                        return known.trust().flatMapMany(now ->
                                now.equals(believed) ? Flux.error(failure) : authenticated(source, asSomeone, reader));
                    })
                    .doOnError(AuthenticatedTransport::isNotBelieved,
                            failure -> Remedy.attach(failure, replaced(known.trust(), believed))));
        });
    }

    /**
     * Looks at {@code current} once a second until it is no longer {@code used}. A source that emits something else each time, such as a
     * newly signed token, says nothing by that: it must emit the same twice.
     */
    private <T> Mono<Void> replaced(Mono<T> current, T used) {
        return Mono.delay(LOOK, clock)
                .then(Mono.defer(() -> current)
                        .filter(now -> !now.equals(used))
                        .filterWhen(now -> current.map(now::equals))
                        .onErrorComplete())
                .repeatWhenEmpty(looks -> looks)
                .then();
    }

    private <R> Flux<R> authenticated(Credential.Source source, HttpRequest request,
            Function<Transport.Answer, ? extends Publisher<R>> reader) {
        return source.current()
                .flatMapMany(first -> send(source, first, request, answer -> unlessRenewed(source, first, answer, reader))
                        .onErrorResume(Renewed.class, renewed -> send(source, renewed.credential, request, reader)));
    }

    /** Whether the certificate was not trusted; then nothing has been sent. */
    private static boolean isNotBelieved(Throwable failure) {
        return failure instanceof TransportException && Causes.find(failure, CertificateException.class) != null;
    }

    /**
     * Whether the server may have refused our certificate in the handshake: it sent an alert. A connection that is only closed there, as by
     * a load balancer without a living server, says nothing of it, and a plugin would be asked for another one again and again.
     */
    private static boolean mayBeAbout(Credential credential, Throwable failure) {
        SSLException tls = Causes.find(failure, SSLException.class);
        return credential.identity() != null && failure instanceof TransportException && !isNotBelieved(failure)
                && tls != null && String.valueOf(tls.getMessage()).contains("alert");
    }

    private <R> Flux<R> send(Credential.Source source, Credential credential, HttpRequest request,
            Function<Transport.Answer, ? extends Publisher<R>> reader) {
        return transport.exchange(with(credential, request), reader)
                .onErrorMap(UnauthorizedException.class, refusal -> credential.identity() == null
                        ? refusal
                        : credential.identity().invalidAt(Instant.ofEpochMilli(clock.now(TimeUnit.MILLISECONDS)))
                                .map(refusal::because).orElse(refusal))
                .doOnError(failure -> failure instanceof UnauthorizedException || mayBeAbout(credential, failure), failure -> {
                    source.refused(credential); // a refused certificate has not been reported; a refused header has, which does no harm
                    Remedy.attach(failure, replaced(source.current(), credential));
                });
    }

    private static <R> Publisher<R> unlessRenewed(
            Credential.Source source, Credential used, Transport.Answer answer, Function<Transport.Answer, ? extends Publisher<R>> reader) {
        if (answer.status() != 401) {
            return reader.apply(answer);
        }
        source.refused(used);
        return source.current().flatMapMany(now -> now.equals(used) ? reader.apply(answer) : Flux.error(new Renewed(now)));
    }

    private static HttpRequest with(Credential credential, HttpRequest request) {
        String authorization = credential.authorization();
        boolean hasOne = request.headers().first("Authorization").isPresent();
        return authorization == null || hasOne ? request : request.withHeaders(request.headers().with("Authorization", authorization));
    }

    /** The server's address, which contains neither user nor password. */
    @Override
    public String toString() {
        Cluster found = known.get();
        return found == null ? "a server that is not known yet" : found.server().toString();
    }

    @Override
    public Mono<Void> dispose() {
        return Mono.defer(() -> {
            disposed = true;
            Cluster found = known.get();
            return found == null ? transport.dispose() : Mono.when(transport.dispose(), found.close());
        });
    }

    /** Ends the exchange that was refused, so that its connection is free before the next one begins. */
    private static final class Renewed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial") // never leaves this class
        private final Credential credential;

        Renewed(Credential credential) {
            super("the credential was renewed", null, false, false);
            this.credential = credential;
        }
    }
}
