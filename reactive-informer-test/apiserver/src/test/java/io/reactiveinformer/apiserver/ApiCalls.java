package io.reactiveinformer.apiserver;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests of a client to a server, over its port. */
record ApiCalls(ApiServer server) {

    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    HttpResponse<String> send(String method, String path, String body) {
        try {
            return CLIENT.send(request(method, path, body), BodyHandlers.ofString());
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    CompletableFuture<HttpResponse<String>> later(String method, String path, String body) {
        return CLIENT.sendAsync(request(method, path, body), BodyHandlers.ofString());
    }

    private HttpRequest request(String method, String path, String body) {
        String type = method.equals("PATCH") ? "application/merge-patch+json"
                : body.startsWith("{\"") ? "application/json" : "application/yaml";
        return HttpRequest.newBuilder(URI.create(server.url() + path)).header("Content-Type", type)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body)).build();
    }

    /** The answer's object. */
    JsonNode ok(String method, String path, String body) {
        HttpResponse<String> answer = send(method, path, body);
        if (answer.statusCode() >= 300) {
            throw new AssertionError(answer.body());
        }
        return JsonMapper.shared().readTree(answer.body());
    }

    /** Code and message of a refusal. */
    String refused(String method, String path, String body) {
        HttpResponse<String> answer = send(method, path, body);
        return answer.statusCode() + " " + JsonMapper.shared().readTree(answer.body()).path("message").asString("");
    }
}
