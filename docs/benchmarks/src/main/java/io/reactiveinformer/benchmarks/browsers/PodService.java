package io.reactiveinformer.benchmarks.browsers;

import io.kubernetes.client.openapi.models.V1Pod;
import io.netty.channel.ChannelOption;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.json.InformerModule;
import io.reactiveinformer.resource.ResourceType;
import org.springframework.http.codec.json.JacksonJsonEncoder;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import tools.jackson.databind.json.JsonMapper;

/**
 * A WebFlux service over an informer of all pods. Prints its port when it has seen them all; ends when its standard input does.
 *
 * <pre>
 * GET /changes   server-sent events
 * GET /vitals    what it costs
 * </pre>
 */
final class PodService {

    /** What the kernel keeps for a browser that does not read. The rest is better kept as rows, which are conflated. */
    private static final int SEND_BUFFER = 64 * 1024;

    private PodService() {}

    public static void main(String... arguments) throws java.io.IOException {
        try (InformerFactory informers = InformerFactory.create(KubernetesClient.create(ClusterConfig.of(arguments[0])))) {
            Informer<V1Pod> pods = informers.of(ResourceType.of(V1Pod.class));
            informers.start();
            pods.synced().block();
            DisposableServer server = serve(Form.of(arguments[1], pods));
            System.out.println(server.port());
            while (System.in.read() >= 0) {
                // until the process that started this one ends
            }
            server.disposeNow();
        }
    }

    private static DisposableServer serve(Form form) {
        RouterFunction<ServerResponse> routes = RouterFunctions.route()
                .GET("/changes", form::answer)
                .GET("/vitals", request -> Mono.fromCallable(() -> Vitals.now(form.subscribers()))
                        .subscribeOn(Schedulers.boundedElastic())
                        .flatMap(text -> ServerResponse.ok().bodyValue(text)))
                .build();
        var json = new JacksonJsonEncoder(JsonMapper.builder().addModule(new InformerModule()).build());
        HandlerStrategies strategies = HandlerStrategies.builder().codecs(codecs -> codecs.defaultCodecs().jacksonJsonEncoder(json))
                .build();
        return HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .childOption(ChannelOption.SO_SNDBUF, SEND_BUFFER)
                .handle(new ReactorHttpHandlerAdapter(RouterFunctions.toHttpHandler(routes, strategies)))
                .bindNow();
    }
}
