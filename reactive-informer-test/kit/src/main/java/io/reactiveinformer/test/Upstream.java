package io.reactiveinformer.test;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.server.Answer;
import io.reactiveinformer.apiserver.internal.server.Breaks.ConnectionCut;
import io.reactiveinformer.config.Cluster;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.config.ConfigException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import io.reactiveinformer.transport.Transport;
import io.reactiveinformer.transport.TransportOptions;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The API server behind a proxy. Requests without a credential of their own are sent with that of a configuration. */
record Upstream(Cluster cluster, Transport transport) {

    private static final Duration QUIET_WATCH = Duration.ofHours(24);

    /** Of one connection, or for the bytes as they were; the transport and the port have their own. */
    private static final Set<String> OWN = Set.of("host", "connection", "upgrade", "keep-alive", "transfer-encoding", "content-length",
            "content-encoding", "accept-encoding", "accept", "te", "trailer", "http2-settings", "if-none-match");

    /**
     * The server of this configuration. Blocks until the configuration is read.
     *
     * @throws ConfigException if that cannot be read, or impersonates
     */
    static Upstream of(ClusterConfig config) {
        Cluster cluster = Objects.requireNonNull(config.cluster().block());
        if (cluster.impersonation() != null) {
            throw new ConfigException("a proxy does not impersonate; use a credential of that user");
        }
        return new Upstream(cluster, Transport.overSockets(cluster.endpoint(), TransportOptions.defaults()));
    }

    /** The server's answer. Fails with {@link TransportException} if there is none; a body that breaks off fails as a cut connection. */
    Mono<Answer> send(ApiRequest request) {
        return Mono.defer(() -> cluster.credentials().current())
                .flatMap(credential -> send(onward(request.http(), credential.authorization())));
    }

    /** The request for the server: with a credential, and without the forms of answers that nobody can read. */
    private static HttpRequest onward(HttpRequest request, @Nullable String authorization) {
        String accept = request.headers().first("Accept").orElse("").replaceAll("[^,]*(protobuf|cbor)[^,]*,?", "");
        Headers headers = without(request.headers(), OWN).with("Accept", accept.isBlank() ? Answer.JSON : accept);
        Headers known = authorization == null || headers.first("Authorization").isPresent()
                ? headers : headers.with("Authorization", authorization);
        return request.withHeaders(known).withSilence(QUIET_WATCH);
    }

    /** @param names in lower case */
    static Headers without(Headers headers, Set<String> names) {
        Headers[] rest = {Headers.empty()};
        headers.forEach((name, value) -> {
            if (!names.contains(name.toLowerCase(Locale.ROOT))) {
                rest[0] = rest[0].with(name, value);
            }
        });
        return rest[0];
    }

    /** The exchange lasts until the body has ended, or its reader has cancelled. */
    private Mono<Answer> send(HttpRequest request) {
        return Mono.create(sink -> sink.onCancel(transport.exchange(request, answer -> {
            Sinks.Empty<Void> over = Sinks.empty();
            Flux<ByteBuf> body = answer.body().<ByteBuf>map(Unpooled::copiedBuffer)
                    .onErrorMap(TransportException.class, failure -> new ConnectionCut(true))
                    .doFinally(end -> over.tryEmitEmpty());
            sink.success(new Answer(answer.status(), without(answer.headers(), OWN), body));
            return over.asMono();
        }).subscribe(nothing -> {}, sink::error)));
    }

    /** Ends all connections. */
    Mono<Void> close() {
        return transport.dispose().then(cluster.close());
    }
}
