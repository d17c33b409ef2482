package io.reactiveinformer.spring;

import io.reactiveinformer.dashboard.Dashboard;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The {@linkplain Dashboard dashboard} at {@code ui} below the endpoint: a part of it, so that its exposure, its access, its port and its
 * security are those of the endpoint. The first listener of the context: another one closes the context of the management port.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
@EndpointWebExtension(endpoint = InformersEndpoint.class)
final class InformersPage implements ApplicationListener<ContextClosedEvent> {

    private static final MediaType PLAIN = new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8);

    private final Dashboard dashboard;
    private final ApplicationContext context;
    private final Sinks.Empty<Void> closing = Sinks.empty();

    InformersPage(Dashboard dashboard, ApplicationContext context) {
        this.dashboard = dashboard;
        this.context = context;
    }

    /**
     * The page, or what it requests. A page whose address ends with a slash requests it below {@code ui/ui}, so the last segment decides.
     *
     * @param path below the endpoint
     */
    @ReadOperation(produces = {"text/html", "text/javascript", "text/css", "image/svg+xml", "text/event-stream", "text/plain"})
    Mono<WebEndpointResponse<Object>> part(
            @Selector(match = Match.ALL_REMAINING) String[] path, @Nullable String namespace, @Nullable String labels,
            @Nullable String slow, @Nullable String table, @Nullable String key) {
        return Mono.fromSupplier(() -> {
            if (!path[0].equals("ui")) {
                return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
            }
            try {
                return switch (path[path.length - 1]) {
                    case "ui" -> file("index.html");
                    case "changes" -> new WebEndpointResponse<>(dashboard.events(orEmpty(namespace), orEmpty(labels), slow != null)
                            .map(event -> ServerSentEvent.builder(event.json()).event(event.name()).build())
                            .takeUntilOther(closing.asMono()), MediaType.TEXT_EVENT_STREAM);
                    case "object" -> dashboard.object(orEmpty(table), orEmpty(key))
                            .map(yaml -> new WebEndpointResponse<Object>(yaml, PLAIN))
                            .orElseGet(() -> new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND));
                    default -> file(path[path.length - 1]);
                };
            } catch (IllegalArgumentException wrong) {
                return new WebEndpointResponse<>(String.valueOf(wrong.getMessage()), WebEndpointResponse.STATUS_BAD_REQUEST, PLAIN);
            }
        });
    }

    /** Ends the streams before the web server waits for running requests. Events of child contexts are received, too, and ignored. */
    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        if (event.getApplicationContext() == context) {
            closing.tryEmitEmpty();
        }
    }

    private static WebEndpointResponse<Object> file(String name) {
        return Dashboard.file(name)
                .map(file -> new WebEndpointResponse<Object>(file.content(), MediaType.parseMediaType(file.contentType())))
                .orElseGet(() -> new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
