package io.reactiveinformer.apiserver;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.reactiveinformer.apiserver.internal.server.CertificateAuthority;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A webhook of a test: notes what it is asked, and replies with the uid of the request and what the test says. */
final class FakeWebhook implements AutoCloseable {

    private final CertificateAuthority authority = new CertificateAuthority();
    private final DisposableServer server;
    private final List<JsonNode> requests = new CopyOnWriteArrayList<>();

    /** @param reply from the request to a response, as JSON without a uid, or a status code; an empty Mono never replies */
    FakeWebhook(Function<JsonNode, Mono<String>> reply, boolean tls) {
        HttpServer plain = HttpServer.create().bindAddress(() -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .handle((request, response) -> request.receive().aggregate().asString(StandardCharsets.UTF_8).flatMap(body -> {
                    JsonNode review = JsonMapper.shared().readTree(body);
                    requests.add(review.path("request"));
                    return reply.apply(review.path("request")).switchIfEmpty(Mono.never()).flatMap(text -> {
                        if (text.matches("\\d+")) {
                            return response.status(Integer.parseInt(text)).send();
                        }
                        ObjectNode answer = JsonMapper.shared().createObjectNode();
                        answer.set("kind", review.path("kind"));
                        answer.set("apiVersion", review.path("apiVersion"));
                        ObjectNode said = (ObjectNode) JsonMapper.shared().readTree(text);
                        answer.set("response", said.has("uid") ? said : said.set("uid", review.path("request").path("uid")));
                        return response.header("Content-Type", "application/json").sendString(Mono.just(answer.toString())).then();
                    });
                }));
        this.server = (tls ? plain.secure(spec -> spec.sslContext(context())) : plain).bindNow();
    }

    static FakeWebhook replying(String response) {
        return new FakeWebhook(request -> Mono.just(response), true);
    }

    private SslContext context() {
        CertificateAuthority.Issued own = authority.server(List.of("localhost", "127.0.0.1", "hooks.tools.svc"));
        try {
            return SslContextBuilder.forServer(own.key(), own.certificate()).build();
        } catch (javax.net.ssl.SSLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** A response that allows the write and applies this patch. */
    static String patch(String operations) {
        return "{\"allowed\":true,\"patchType\":\"JSONPatch\",\"patch\":\""
                + Base64.getEncoder().encodeToString(operations.getBytes(StandardCharsets.UTF_8)) + "\"}";
    }

    int port() {
        return server.port();
    }

    String bundle() {
        return Base64.getEncoder().encodeToString(authority.certificatePem().getBytes(StandardCharsets.UTF_8));
    }

    /** As flow YAML. */
    String client() {
        return "{url: 'https://127.0.0.1:" + port() + "/hook', caBundle: " + bundle() + "}";
    }

    List<JsonNode> requests() {
        return requests;
    }

    @Override
    public void close() {
        server.disposeNow();
    }
}
