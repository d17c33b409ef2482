package io.reactiveinformer.apiserver.internal.admission;

import io.netty.buffer.Unpooled;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import io.reactiveinformer.apiserver.internal.cluster.WebhookCall;
import io.reactiveinformer.apiserver.internal.cluster.WebhookCall.Reply;
import java.io.ByteArrayInputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLException;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * Calls webhooks, each over a connection of its own. A webhook that is named by a Service is looked for at the address in the annotation
 * {@value #ADDRESS} of that Service, such as {@code http://127.0.0.1:8080}, since nothing runs behind the Services of this server.
 */
public final class WebhookClient {

    static final String ADDRESS = "simulation.reactiveinformer.io/address";

    private final Cluster cluster;
    private final Scheduler scheduler;

    /** @param scheduler measures the time that webhooks have */
    public WebhookClient(Cluster cluster, Scheduler scheduler) {
        this.cluster = cluster;
        this.scheduler = scheduler;
    }

    /** Carries out a request, which begins anew after each {@link WebhookCall} that it fails with. */
    public <T> Mono<T> answered(Mono<T> request) {
        return request.onErrorResume(WebhookCall.class, call -> send(call).then(Mono.defer(() -> answered(request))));
    }

    /** As {@link #answered}, on the thread of the caller, which waits if there is a call. */
    public <T> T await(Supplier<T> request) {
        while (true) {
            try {
                return request.get();
            } catch (WebhookCall call) {
                send(call).block();
            }
        }
    }

    /** Sends the call and hands over the reply. Fails if that refuses the request. */
    public Mono<Void> send(WebhookCall call) {
        return Mono.defer(() -> post(call))
                .subscribeOn(Schedulers.boundedElastic()) // certificates are read from files
                .onErrorResume(failure -> Mono.just(new Reply(MissingNode.getInstance(), String.valueOf(failure.getMessage()))))
                .doOnNext(call::replied)
                .then();
    }

    private Mono<Reply> post(WebhookCall call) {
        JsonNode service = call.client().path("service");
        String host = Json.text(service, "name") + "." + Json.text(service, "namespace") + ".svc:";
        URI named = URI.create(service.isMissingNode() ? Json.text(call.client(), "url")
                : "https://" + host + service.path("port").asInt(443) + Json.text(service, "path"));
        String query = "?timeout=" + call.seconds() + "s";
        String shown = "Post \"" + named + query + "\": ";
        URI address = service.isMissingNode() ? named : address(service, shown);
        HttpClient plain = HttpClient.newConnection().headers(headers -> headers.set("Content-Type", "application/json"));
        boolean secure = address.getScheme().equals("https");
        return (secure ? secure(plain, named.getHost(), Json.text(call.client(), "caBundle"), shown) : plain).post()
                .uri(address.resolve(named.getRawPath()) + query)
                .send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(Json.write(call.review()))))
                .responseSingle((response, body) -> body.asString().defaultIfEmpty("").map(text -> reply(response.status().code(), text)))
                .timeout(Duration.ofSeconds(call.seconds()), scheduler)
                .onErrorMap(failure -> new IllegalStateException(shown + inGo(failure, address), failure));
    }

    private URI address(JsonNode service, String shown) {
        String name = Json.text(service, "name");
        StoredObject found = cluster.get(cluster.types().find("", "services").orElseThrow(), Json.text(service, "namespace"), name);
        String address = found == null ? "" : Json.text(found.tree(), "metadata", "annotations", ADDRESS);
        if (address.isEmpty()) {
            throw new IllegalStateException(shown + (found == null ? "service \"" + name + "\" not found"
                    : "nothing runs behind the services of this server: set the annotation " + ADDRESS + " of service \"" + name
                            + "\" to where the webhook listens, such as http://127.0.0.1:8080"));
        }
        return URI.create(address.contains("://") ? address : "https://" + address);
    }

    private static HttpClient secure(HttpClient client, String host, String bundle, String shown) {
        try {
            SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK).endpointIdentificationAlgorithm("HTTPS");
            SslContext context = (bundle.isBlank() ? builder
                    : builder.trustManager(new ByteArrayInputStream(Base64.getDecoder().decode(bundle)))).build();
            return client.secure(spec -> spec.sslContext(context).serverNames(new SNIHostName(host)));
        } catch (SSLException | IllegalArgumentException failure) {
            throw new IllegalStateException(shown + "unable to load root certificates: " + failure.getMessage(), failure);
        }
    }

    private static Reply reply(int status, String body) {
        try {
            return status / 100 == 2 ? new Reply(Json.read(body), "") : new Reply(MissingNode.getInstance(), switch (status) {
                case 400 -> "the server rejected our request for an unknown reason";
                case 401 -> "the server has asked for the client to provide credentials";
                case 403, 406, 415 -> body;
                case 404 -> "the server could not find the requested resource";
                case 405 -> "the server does not allow this method on the requested resource";
                case 409 -> "the server reported a conflict";
                case 422 -> "the server rejected our request due to an error in our request";
                case 429 -> "the server has received too many requests and has asked us to try again later";
                case 503 -> "the server is currently unable to handle the request";
                case 504 -> "the server was unable to return a response in the time allotted, but may still be processing the request";
                default -> status < 500 ? "the server responded with the status code " + status + " but did not return more information"
                        : "an error on the server (" + Json.object().stringNode(body) + ") has prevented the request from succeeding";
            });
        } catch (JacksonException failure) {
            return new Reply(MissingNode.getInstance(), "couldn't get version/kind; json parse error: " + failure.getOriginalMessage());
        }
    }

    /** The failure in the words of Go's client. */
    private static String inGo(Throwable failure, URI address) {
        return failure instanceof TimeoutException ? "context deadline exceeded"
                : failure instanceof ConnectException ? "dial tcp " + address.getAuthority() + ": connect: connection refused"
                : failure instanceof UnknownHostException ? "dial tcp: lookup " + address.getHost() + ": no such host"
                : failure instanceof SSLException ? "tls: failed to verify certificate: x509: " + failure.getMessage()
                : "EOF: " + failure.getMessage();
    }

}
