package io.reactiveinformer.guide.refusals;

import io.reactiveinformer.informer.Informer;
import java.util.Map;
import java.util.Optional;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRoutes;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The operator's webhook: a volume is backed up once. */
final class BackupWebhook {

    private final Informer<Backup> backups;

    BackupWebhook(Informer<Backup> backups) {
        this.backups = backups;
    }

    /** Listens on a free port, in plain HTTP. */
    DisposableServer listen() {
        return HttpServer.create().port(0).route(this::routes).bindNow();
    }

    private void routes(HttpServerRoutes routes) {
        routes.post("/validate", (request, response) -> response.header("Content-Type", "application/json")
                .sendString(request.receive().aggregate().asString().map(this::answer)));
    }

    private String answer(String review) {
        JsonNode request = JsonMapper.shared().readTree(review).path("request");
        String volume = request.at("/object/spec/volume").asString();
        Optional<String> other = backups.lister().inNamespace(request.path("namespace").asString())
                .list(backup -> backup.spec().volume().equals(volume)).stream().map(backup -> backup.metadata().getName()).findFirst();
        return JsonMapper.shared().writeValueAsString(Map.of("apiVersion", "admission.k8s.io/v1", "kind", "AdmissionReview",
                "response", Map.of("uid", request.path("uid").asString(), "allowed", other.isEmpty(),
                        "status", Map.of("code", 409, "message", other.map(name -> volume + " has the backup " + name).orElse("")))));
    }
}
