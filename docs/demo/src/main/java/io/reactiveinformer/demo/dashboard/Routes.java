package io.reactiveinformer.demo.dashboard;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * <pre>
 * GET  /              the page and its parts
 * GET  /changes       rows as server-sent events; ?namespace=shop&amp;labels=app=web&amp;slow=true
 * POST /faults/{name} causes a fault; absent for a real cluster
 * </pre>
 */
final class Routes {

    private Routes() {}

    static HttpHandler of(Function<Wish, Flux<Message>> browsers, @Nullable FaultButtons faults) {
        var page = new ClassPathResource("io/reactiveinformer/demo/dashboard/index.html", Routes.class.getClassLoader());
        var parts = new ClassPathResource("io/reactiveinformer/demo/dashboard/page/", Routes.class.getClassLoader());
        var routes = RouterFunctions.route()
                .GET("/", request -> ServerResponse.ok().contentType(MediaType.TEXT_HTML).bodyValue(page))
                .GET("/changes", request -> changes(browsers, request))
                .resources("/page/**", parts);
        if (faults != null) {
            routes.POST("/faults/{name}", request -> fault(faults, request.pathVariable("name")));
        }
        return RouterFunctions.toHttpHandler(routes.build(),
                HandlerStrategies.builder().webFilter(Routes::whole).webFilter(new Guard()).build());
    }

    /**
     * Answers a request after it was read to its end. If the answer comes first, Reactor Netty 1.3.7 can stop reading the connection: the
     * request after one that arrived before the last answer's end is never read (reactor-netty #4361).
     */
    private static Mono<Void> whole(ServerWebExchange exchange, WebFilterChain chain) {
        return exchange.getRequest().getBody().doOnNext(DataBufferUtils::release).then(Mono.defer(() -> chain.filter(exchange)));
    }

    private static Mono<ServerResponse> changes(Function<Wish, Flux<Message>> browsers, ServerRequest request) {
        Wish wish;
        try {
            wish = Wish.of(request.queryParams());
        } catch (IllegalArgumentException unreadable) {
            return refuse(HttpStatus.BAD_REQUEST, String.valueOf(unreadable.getMessage()));
        }
        Flux<ServerSentEvent<Message>> events = browsers.apply(wish)
                .map(message -> ServerSentEvent.builder(message).event(message.event()).build());
        return ServerResponse.ok().contentType(MediaType.TEXT_EVENT_STREAM).body(BodyInserters.fromServerSentEvents(events));
    }

    private static Mono<ServerResponse> fault(FaultButtons faults, String name) {
        return FaultButtons.NAMES.contains(name) ? faults.press(name).then(ServerResponse.noContent().build())
                : refuse(HttpStatus.NOT_FOUND, "the faults are " + FaultButtons.NAMES);
    }

    private static Mono<ServerResponse> refuse(HttpStatus status, String why) {
        return ServerResponse.status(status).contentType(MediaType.TEXT_PLAIN).bodyValue(why);
    }
}
