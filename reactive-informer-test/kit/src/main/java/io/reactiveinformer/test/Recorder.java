package io.reactiveinformer.test;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.server.Answer;
import io.reactiveinformer.apiserver.internal.server.ConnectionCut;
import io.reactiveinformer.apiserver.internal.server.HttpShell;
import io.reactiveinformer.config.Cluster;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.config.ConfigException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import io.reactiveinformer.transport.Transport;
import io.reactiveinformer.transport.TransportOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A proxy in front of an API server that writes down what a program asks and gets. {@link FakeApiServer.Builder#replay} answers the same
 * from that file, so that a session in which something went wrong becomes a test.
 *
 * <pre>{@code
 * try (Recorder recorder = Recorder.start(ClusterConfig.kubeconfig(file), directory, 0)) {
 *     run("my-program", "--kubeconfig", directory.resolve("kubeconfig"));
 * }
 * }</pre>
 *
 * <p>{@code recording.jsonl} has a line of JSON for each request, answer, event of a watch and end of a watch, with its milliseconds. Not
 * in it are headers of requests, so no token; what runs in pods, as {@code exec} and proxied requests are refused; and, unless asked for,
 * data of Secrets, and texts whose field or variable has a name that ends with token, password or secret. Programs that prefer protocol
 * buffers get JSON.
 */
public final class Recorder implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);
    private static final Duration CLOSING = Duration.ofSeconds(10);
    private static final Duration QUIET_WATCH = Duration.ofHours(24);

    /** Of one connection, or for the bytes as they were; the transport and the port have their own. */
    private static final Set<String> OWN = Set.of("host", "connection", "upgrade", "keep-alive", "transfer-encoding", "content-length",
            "content-encoding", "accept-encoding", "accept", "te", "trailer", "http2-settings", "if-none-match");

    private final Transport transport;
    private final Cluster cluster;
    private final RecordingWriter file;
    private final HttpShell port;

    private Recorder(Cluster cluster, RecordingWriter file, int port) {
        this.cluster = cluster;
        this.file = file;
        this.transport = Transport.overSockets(cluster.endpoint(), TransportOptions.defaults());
        this.port = HttpShell.listen(this::answer, port, null);
    }

    /**
     * Listens on the loopback address, and writes {@code recording.jsonl} and a {@code kubeconfig} for the program into the directory.
     * Blocks until it listens. Who can reach the port has the rights of {@code config}; a request's own credential comes before it.
     *
     * @param config the API server, and the credential for it; without impersonation
     * @param directory is created; a recording that is there already is not replaced
     * @param port 0 for a free one
     * @throws ConfigException if {@code config} cannot be read
     * @throws IOException if a file cannot be written, or there is a recording already
     */
    public static Recorder start(ClusterConfig config, Path directory, int port) throws IOException {
        return start(config, directory, port, false);
    }

    /** As {@link #start}, and the file has data of Secrets, tokens and passwords too: keep it as you keep these. */
    public static Recorder startWithSecrets(ClusterConfig config, Path directory, int port) throws IOException {
        return start(config, directory, port, true);
    }

    private static Recorder start(ClusterConfig config, Path directory, int port, boolean secrets) throws IOException {
        Cluster cluster = Objects.requireNonNull(config.cluster().block());
        if (cluster.impersonation() != null) {
            throw new ConfigException("a recorder does not impersonate; use a credential of that user");
        }
        Files.createDirectories(directory);
        RecordingWriter file = new RecordingWriter(directory.resolve(RecordingWriter.NAME), secrets);
        Recorder recorder = new Recorder(cluster, file, port);
        Files.writeString(directory.resolve("kubeconfig"), """
                {"apiVersion": "v1", "kind": "Config", "current-context": "recorder",
                 "clusters": [{"name": "recorder", "cluster": {"server": "%s"}}],
                 "contexts": [{"name": "recorder", "context": {"cluster": "recorder", "namespace": "%s"}}]}
                """.formatted(recorder.url(), cluster.namespace()));
        return recorder;
    }

    /** The address for the program, such as {@code http://127.0.0.1:49152}. */
    public String url() {
        return port.url();
    }

    private Mono<Answer> answer(ApiRequest request) {
        String host = request.http().headers().first("Host").orElse("");
        if (!host.matches("(127\\.0\\.0\\.1|localhost)(:\\d+)?")) { // a page in a browser, by a name that leads here
            return Answer.of(ApiFailure.of(403, "Forbidden", "the recorder is for programs on this machine: use " + url()), request.http());
        }
        if (request.subresource().matches("(exec|attach|portforward|proxy)(/.*)?")) {
            return Answer.of(ApiFailure.of(501, "NotImplemented", "the recorder refuses " + request.subresource()), request.http());
        }
        return file.record(request, Mono.defer(() -> cluster.credentials().current())
                .flatMap(credential -> send(onward(request.http(), credential.authorization())))
                .doOnError(failure -> LOG.warn("{}: no answer from {}: {}", request, cluster.server(), failure.toString()))
                .onErrorMap(TransportException.class, failure -> new ConnectionCut(true)));
    }

    /** The request for the server: with a credential, and without the forms of answers that nobody can read. */
    private static HttpRequest onward(HttpRequest request, @Nullable String authorization) {
        String accept = request.headers().first("Accept").orElse("").replaceAll("[^,]*(protobuf|cbor)[^,]*,?", "");
        Headers headers = without(request.headers()).with("Accept", accept.isBlank() ? Answer.JSON : accept);
        Headers known = authorization == null || headers.first("Authorization").isPresent()
                ? headers : headers.with("Authorization", authorization);
        return request.withHeaders(known).withSilence(QUIET_WATCH);
    }

    private static Headers without(Headers headers) {
        Headers[] rest = {Headers.empty()};
        headers.forEach((name, value) -> {
            if (!OWN.contains(name.toLowerCase(Locale.ROOT))) {
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
            sink.success(new Answer(answer.status(), without(answer.headers()), body));
            return over.asMono();
        }).subscribe(nothing -> {}, sink::error)));
    }

    /** Ends all connections. Blocks until that is done, and the file is complete. */
    @Override
    public void close() {
        file.close();
        port.close();
        transport.dispose().then(cluster.close()).block(CLOSING);
    }
}
