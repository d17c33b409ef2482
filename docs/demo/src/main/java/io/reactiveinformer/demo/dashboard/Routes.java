package io.reactiveinformer.demo.dashboard;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * <pre>
 * GET  /              the page and its parts
 * GET  /changes       rows as server-sent events; ?namespace=shop&amp;labels=app=web&amp;slow=true
 * POST /faults/{name} lets something go wrong
 * </pre>
 */
final class Routes {

    private final Function<Wish, Flux<Message>> browsers;
    private final @Nullable FaultButtons faults;

    private Routes(Function<Wish, Flux<Message>> browsers, @Nullable FaultButtons faults) {
        this.browsers = browsers;
        this.faults = faults;
    }

    static HttpHandler of(Function<Wish, Flux<Message>> browsers, @Nullable FaultButtons faults) {
        var handlers = new Routes(browsers, faults);
        var page = new ClassPathResource("io/reactiveinformer/demo/dashboard/index.html", Routes.class.getClassLoader());
        var parts = new ClassPathResource("io/reactiveinformer/demo/dashboard/page/", Routes.class.getClassLoader());
        RouterFunction<ServerResponse> routes = RouterFunctions.route()
                .GET("/", request -> ServerResponse.ok().contentType(MediaType.TEXT_HTML).bodyValue(page))
                .GET("/changes", handlers::changes)
                .POST("/faults/{name}", handlers::fault)
                .resources("/page/**", parts)
                .build();
        return RouterFunctions.toHttpHandler(routes, HandlerStrategies.builder().webFilter(new Guard()).build());
    }

    private Mono<ServerResponse> changes(ServerRequest request) {
        Wish wish;
        try {
            wish = Wish.of(request.queryParams());
        } catch (IllegalArgumentException unreadable) {
            return refuse(HttpStatus.BAD_REQUEST, String.valueOf(unreadable.getMessage()));
        }
        Flux<ServerSentEvent<Message>> events = browsers.apply(wish).map(message -> ServerSentEvent.builder(message).event(message.event()).build());
        return ServerResponse.ok().contentType(MediaType.TEXT_EVENT_STREAM).body(BodyInserters.fromServerSentEvents(events));
    }

    private Mono<ServerResponse> fault(ServerRequest request) {
        String name = request.pathVariable("name");
        if (faults == null || !FaultButtons.NAMES.contains(name)) {
            return refuse(HttpStatus.NOT_FOUND, faults == null ? "this cluster is a real one" : "the faults are " + FaultButtons.NAMES);
        }
        return faults.press(name).then(ServerResponse.noContent().build());
    }

    private static Mono<ServerResponse> refuse(HttpStatus status, String why) {
        return ServerResponse.status(status).contentType(MediaType.TEXT_PLAIN).bodyValue(why);
    }
}
