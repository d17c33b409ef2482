package io.reactiveinformer.demo.dashboard;

import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.reactiveinformer.dashboard.Dashboard;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ResourceType;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** Serves the dashboard of five informers to any number of browsers on this machine. */
public final class DashboardServer implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(8); // within the time that a process has for its shutdown

    /** Bytes that the kernel buffers for a browser that does not read. More is better kept as rows, which are conflated. */
    private static final int SEND_BUFFER = 32 * 1024;

    /**
     * Buffers on the heap, which the garbage collector frees: Spring's writer of events does not release the buffer that it has just filled
     * if a browser disconnects at that moment.
     */
    private static final ByteBufAllocator BUFFERS = new UnpooledByteBufAllocator(false, true);

    private final List<Informer<?>> informers;
    private final Dashboard dashboard;
    private final Disposable kept;
    private final Sinks.Empty<Void> closing = Sinks.empty();
    private final DisposableServer server;

    private DashboardServer(InformerFactory factory, @Nullable FaultButtons faults, String cluster, int port) {
        informers = Stream.of(V1Pod.class, V1Deployment.class, V1Job.class, V1Node.class, EventsV1Event.class)
                .<Informer<?>>map(type -> factory.of(ResourceType.of(type))).toList();
        Dashboard plain = Dashboard.of(cluster, () -> informers);
        dashboard = faults == null ? plain : plain.withFaults(faults::possible);
        kept = dashboard.keep().subscribe();
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(port)
                .childOption(ChannelOption.SO_SNDBUF, SEND_BUFFER)
                .childOption(ChannelOption.ALLOCATOR, BUFFERS)
                .handle(new ReactorHttpHandlerAdapter(Routes.of(dashboard, closing.asMono(), faults)))
                .bindNow();
    }

    /**
     * Starts to listen, on the loopback address only. Does not start the informers.
     *
     * @param faults the faults that the page can cause; null for a real cluster
     * @param cluster the cluster in words, for the page
     * @param port 0 for any free one
     */
    public static DashboardServer start(InformerFactory informers, @Nullable FaultButtons faults, String cluster, int port) {
        return new DashboardServer(informers, faults, cluster, port);
    }

    /** The address of the page. */
    public String url() {
        return "http://127.0.0.1:" + server.port() + "/";
    }

    /** Completes when all tables are complete. */
    Mono<Void> synced() {
        return Flux.fromIterable(informers).flatMap(Informer::synced).then();
    }

    /** The number of changes of rows so far. */
    long changes() {
        return dashboard.changes();
    }

    /** Completes the events of all browsers, and frees the port. Blocks until that is done. */
    @Override
    public void close() {
        closing.tryEmitEmpty();
        server.disposeNow(PATIENCE);
        kept.dispose();
    }
}
