package io.reactiveinformer.guide.refusals;

import io.netty.handler.ssl.SslContextBuilder;
import io.reactiveinformer.informer.Informer;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRoutes;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The operator's webhook: a volume is backed up once. It listens on a free port, with a certificate of its own. */
final class BackupWebhook {

    /** Where the API server reaches this machine: a server in a container needs another name. */
    private static final String HOST = System.getProperty("webhook.host", "127.0.0.1");
    private static final char[] PASSWORD = "changeit".toCharArray();

    private final Informer<Backup> backups;
    private final KeyStore keys;
    private final DisposableServer server;

    BackupWebhook(Informer<Backup> backups, KeyStore keys) throws Exception {
        this.backups = backups;
        this.keys = keys;
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        var tls = SslContextBuilder.forServer(managers).build();
        this.server = HttpServer.create().port(0).secure(spec -> spec.sslContext(tls)).route(this::routes).bindNow();
    }

    /** A key and a certificate for {@link #HOST}, by the JDK's own tool. */
    static KeyStore keys(Path file) throws Exception {
        String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        int result = new ProcessBuilder(tool, "-genkeypair", "-alias", "webhook", "-keyalg", "EC", "-dname", "CN=backup-operator",
                "-ext", "san=" + (HOST.matches("[\\d.]+") ? "ip:" : "dns:") + HOST,
                "-storetype", "PKCS12", "-storepass", new String(PASSWORD), "-keystore", file.toString())
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
        if (result != 0) {
            throw new IllegalStateException(tool + " ended with " + result);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream stream = Files.newInputStream(file)) {
            keys.load(stream, PASSWORD);
        }
        return keys;
    }

    /** The configuration of production, with the address of this test in place of the Service. */
    String configuration() throws Exception {
        byte[] certificate = keys.getCertificate("webhook").getEncoded();
        String pem = "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(certificate) + "\n-----END CERTIFICATE-----\n";
        try (InputStream file = BackupWebhook.class.getResourceAsStream("webhook.yaml")) {
            return new String(file.readAllBytes(), UTF_8).replace("service: {name: backup-operator, namespace: shop, path: /validate}",
                    "url: 'https://" + HOST + ":" + server.port() + "/validate', caBundle: "
                            + Base64.getEncoder().encodeToString(pem.getBytes(UTF_8)));
        }
    }

    void close() {
        server.disposeNow();
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
