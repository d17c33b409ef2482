package io.reactiveinformer.demo.dashboard;

import io.reactiveinformer.dashboard.Dashboard;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
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
 * GET  /              the page
 * GET  /ui/…          the rest of the dashboard
 * POST /faults/{name} causes a fault; absent for a real cluster
 * </pre>
 */
final class Routes {

    private static final MediaType YAML = new MediaType("text", "plain", StandardCharsets.UTF_8); // shown, not saved

    private final Dashboard dashboard;
    private final Mono<Void> closing;

    private Routes(Dashboard dashboard, Mono<Void> closing) {
        this.dashboard = dashboard;
        this.closing = closing;
    }

    /** @param closing ends all streams of events */
    static HttpHandler of(Dashboard dashboard, Mono<Void> closing, @Nullable FaultButtons faults) {
        var its = new Routes(dashboard, closing);
        var routes = RouterFunctions.route()
                .GET("/", request -> file("index.html"))
                .GET("/ui/changes", its::changes)
                .GET("/ui/object", its::object)
                .GET("/ui/{file}", request -> file(request.pathVariable("file")));
        if (faults != null) {
            routes.POST("/faults/{name}", request -> fault(faults, request.pathVariable("name")));
        }
        return RouterFunctions.toHttpHandler(routes.build(),
                HandlerStrategies.builder().webFilter(Routes::whole).webFilter(new Guard()).build());
    }

    private static Mono<ServerResponse> file(String name) {
        return Dashboard.file(name)
                .map(file -> ServerResponse.ok().contentType(MediaType.parseMediaType(file.contentType())).bodyValue(file.content()))
                .orElseGet(() -> ServerResponse.notFound().build());
    }

    /**
     * Answers a request after it was read to its end. If the answer comes first, Reactor Netty 1.3.7 can stop reading the connection: the
     * request after one that arrived before the last answer's end is never read (reactor-netty #4361).
     */
    private static Mono<Void> whole(ServerWebExchange exchange, WebFilterChain chain) {
        return exchange.getRequest().getBody().doOnNext(DataBufferUtils::release).then(Mono.defer(() -> chain.filter(exchange)));
    }

    private Mono<ServerResponse> changes(ServerRequest request) {
        Flux<Dashboard.Event> events;
        try {
            events = dashboard.events(
                    request.queryParam("namespace").orElse(""), request.queryParam("labels").orElse(""),
                    request.queryParam("slow").isPresent());
        } catch (IllegalArgumentException unreadable) {
            return refuse(HttpStatus.BAD_REQUEST, String.valueOf(unreadable.getMessage()));
        }
        return ServerResponse.ok().contentType(MediaType.TEXT_EVENT_STREAM).body(BodyInserters.fromServerSentEvents(events
                .map(event -> ServerSentEvent.builder(event.json()).event(event.name()).build()).takeUntilOther(closing)));
    }

    private Mono<ServerResponse> object(ServerRequest request) {
        try {
            return dashboard.object(request.queryParam("table").orElse(""), request.queryParam("key").orElse(""))
                    .map(yaml -> ServerResponse.ok().contentType(YAML).bodyValue(yaml))
                    .orElseGet(() -> ServerResponse.notFound().build());
        } catch (IllegalArgumentException noKey) {
            return refuse(HttpStatus.BAD_REQUEST, String.valueOf(noKey.getMessage()));
        }
    }

    private static Mono<ServerResponse> fault(FaultButtons faults, String name) {
        return FaultButtons.NAMES.contains(name) ? faults.press(name).then(ServerResponse.noContent().build())
                : refuse(HttpStatus.NOT_FOUND, "the faults are " + FaultButtons.NAMES);
    }

    private static Mono<ServerResponse> refuse(HttpStatus status, String why) {
        return ServerResponse.status(status).contentType(MediaType.TEXT_PLAIN).bodyValue(why);
    }
}
