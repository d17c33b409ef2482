package io.reactiveinformer.apiserver.internal.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.apiserver.internal.admission.WebhookClient;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.Selection;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Answers watches: determines where each begins, and opens its stream. */
record Watches(Cluster cluster, WebhookClient webhooks, Scheduler scheduler, WatchTimes times) {

    /** @param version in which the objects are shown */
    Mono<Answer> watch(ResourceDefinition type, String version, Selection selection, ListOptions options, Representation form) {
        long from = options.number(true);
        Duration timeout = options.timeoutSeconds() == null || options.timeoutSeconds() == 0
                ? times.timeout()
                : Duration.ofSeconds(options.timeoutSeconds());
        var request = new WatchStream.Request(type, version, selection, from, options.sendInitialEvents(), options.bookmarks(), timeout);
        if (options.sendInitialEvents() && from > cluster.version()) {
            return Mono.delay(Lists.PATIENCE, scheduler).map(waited -> from > cluster.version()
                    ? Answer.stream(Flux.defer(() -> Flux.just(errorEvent(ApiFailure.tooLarge(options.version(), cluster.version())))))
                    : stream(request, form));
        }
        return Mono.fromSupplier(() -> stream(request, form));
    }

    private Answer stream(WatchStream.Request request, Representation form) {
        // Events are read from the shared history on request, so nothing is buffered here whatever the sink's strategy is.
        return Answer.stream(Flux.create(
                sink -> new WatchStream(request, form, this, scheduler.createWorker(), sink).start(),
                FluxSink.OverflowStrategy.IGNORE));
    }

    static ByteBuf errorEvent(ApiFailure failure) {
        return Unpooled.wrappedBuffer(Json.utf8("{\"type\":\"ERROR\",\"object\":"), Json.write(failure.status()), Json.utf8("}\n"));
    }
}
