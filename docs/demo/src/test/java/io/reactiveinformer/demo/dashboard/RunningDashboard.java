package io.reactiveinformer.demo.dashboard;

import io.reactiveinformer.backoff.Backoff;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.test.FakeApiServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A dashboard of a fake cluster, and what a browser asks it. */
final class RunningDashboard implements AutoCloseable {

    /** What is shown of a recovery is the same after a short pause. */
    static final Backoff SOON = Backoff.between(Duration.ofMillis(100), Duration.ofSeconds(1));

    final FakeApiServer server = FakeApiServer.create().start();
    final KubernetesClient client = KubernetesClient.create(ClusterConfig.of(server.url()));
    final InformerFactory informers = InformerFactory.create(client, ReflectorOptions.defaults().withBackoff(SOON));
    final DashboardServer dashboard = DashboardServer.start(informers, new FaultButtons(server), "a test", 0);
    final HttpClient http = HttpClient.newHttpClient();

    /** A browser that comes when all is known that was created before. */
    Events browser(String query) throws IOException, InterruptedException {
        sync();
        return Events.of(http, dashboard.url(), query);
    }

    /** Starts the informers, at the first call, and waits until all rows are known. */
    void sync() {
        informers.start();
        dashboard.synced().block();
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(dashboard.url() + path));
    }

    HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return http.send(request, BodyHandlers.ofString());
    }

    /** @return the status of the answer */
    int press(String fault) throws IOException, InterruptedException {
        return send(request("faults/" + fault).POST(HttpRequest.BodyPublishers.noBody()).build()).statusCode();
    }

    /** Asks by bytes, for what a client that keeps the rules would not send. */
    static void write(Socket socket, String request) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(request.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    int port() {
        return URI.create(dashboard.url()).getPort();
    }

    void createPod(String namespace, String name, String app) {
        server.objects().create(
                """
                {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: %s, labels: {app: %s}},
                 spec: {containers: [{name: main, image: x}]}}""".formatted(name, namespace, app));
    }

    @Override
    public void close() {
        dashboard.close();
        informers.close();
        client.close();
        server.close();
    }
}
