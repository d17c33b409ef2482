package io.reactiveinformer;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A server of the JDK that keeps what it gets, by path, and answers in JSON: enough for a program in another process. */
final class FewObjects implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, ObjectNode> objects = new ConcurrentSkipListMap<>();
    private final AtomicLong versions = new AtomicLong();

    FewObjects() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    Set<String> written() {
        return objects.keySet();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String query = String.valueOf(exchange.getRequestURI().getQuery());
        byte[] body = exchange.getRequestBody().readAllBytes();
        switch (exchange.getRequestMethod()) {
            case "POST" -> {
                ObjectNode object = JSON.readTree(body).asObject();
                answer(exchange, 201, store(path + "/" + object.at("/metadata/name").asString(), object));
            }
            case "PUT" -> answer(exchange, 200, store(path, JSON.readTree(body).asObject()));
            case "PATCH" -> answer(exchange, 200, store(path, merged(objects.get(path), JSON.readTree(body).asObject())));
            default -> {
                if (query.contains("watch=")) {
                    watch(exchange, path);
                } else if (objects.containsKey(path)) {
                    answer(exchange, 200, objects.get(path));
                } else if (objects.keySet().stream().anyMatch(known -> known.startsWith(path + "/"))) {
                    answer(exchange, 200, list(path));
                } else {
                    answer(exchange, 404, JSON.createObjectNode().put("kind", "Status").put("apiVersion", "v1").put("status", "Failure")
                            .put("reason", "NotFound").put("code", 404));
                }
            }
        }
    }

    private ObjectNode store(String path, ObjectNode object) {
        ObjectNode metadata = object.withObject("metadata");
        metadata.put("resourceVersion", String.valueOf(versions.incrementAndGet()));
        metadata.put("uid", "uid of " + path);
        metadata.put("creationTimestamp", "2026-01-01T00:00:00Z");
        objects.put(path, object);
        return object;
    }

    private static ObjectNode merged(@Nullable ObjectNode before, ObjectNode patch) {
        if (before == null) {
            return patch;
        }
        ObjectNode after = before.deepCopy();
        patch.forEachEntry((name, value) -> after.set(name, value instanceof ObjectNode inner && after.get(name) instanceof ObjectNode known
                ? merged(known, inner) : value));
        return after;
    }

    private ObjectNode list(String path) {
        ObjectNode list = JSON.createObjectNode().put("kind", "List").put("apiVersion", "v1");
        list.putObject("metadata").put("resourceVersion", versions.toString());
        objects.forEach((known, object) -> {
            if (known.startsWith(path + "/")) {
                list.withArray("items").add(object);
            }
        });
        return list;
    }

    /** The objects, that these were all, and then nothing more; as for a streaming list. */
    private void watch(HttpExchange exchange, String path) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, 0);
        for (JsonNode object : list(path).withArray("items")) {
            send(exchange, "ADDED", object);
        }
        ObjectNode end = JSON.createObjectNode().put("kind", "Any").put("apiVersion", "v1");
        end.putObject("metadata").put("resourceVersion", versions.toString())
                .putObject("annotations").put("k8s.io/initial-events-end", "true");
        send(exchange, "BOOKMARK", end);
    }

    private static void send(HttpExchange exchange, String type, JsonNode object) throws IOException {
        ObjectNode event = JSON.createObjectNode().put("type", type);
        event.set("object", object);
        exchange.getResponseBody().write((event + "\n").getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
    }

    private static void answer(HttpExchange exchange, int status, JsonNode body) throws IOException {
        byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
