package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.server.Answer;
import io.reactiveinformer.apiserver.internal.server.Breaks.ConnectionCut;
import io.reactiveinformer.apiserver.internal.server.HttpShell;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.config.ConfigException;
import io.reactiveinformer.resource.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

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

    private final Upstream server;
    private final RecordingWriter file;
    private final HttpShell port;

    private Recorder(Upstream server, RecordingWriter file, int port) {
        this.server = server;
        this.file = file;
        this.port = new HttpShell(this::answer, port, null);
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
        Upstream server = Upstream.of(config);
        Files.createDirectories(directory);
        RecordingWriter file = new RecordingWriter(directory.resolve(RecordingWriter.NAME), secrets);
        Recorder recorder = new Recorder(server, file, port);
        Files.writeString(directory.resolve("kubeconfig"), """
                {"apiVersion": "v1", "kind": "Config", "current-context": "recorder",
                 "clusters": [{"name": "recorder", "cluster": {"server": "%s"}}],
                 "contexts": [{"name": "recorder", "context": {"cluster": "recorder", "namespace": "%s"}}]}
                """.formatted(recorder.url(), server.cluster().namespace()));
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
        return file.record(request, server.send(request)
                .doOnError(failure -> LOG.warn("{}: no answer from {}: {}", request, server.cluster().server(), failure.toString()))
                .onErrorMap(TransportException.class, failure -> new ConnectionCut(true)));
    }

    /** Ends all connections. Blocks until that is done, and the file is complete. */
    @Override
    public void close() {
        file.close();
        port.close();
        server.close().block(CLOSING);
    }
}
