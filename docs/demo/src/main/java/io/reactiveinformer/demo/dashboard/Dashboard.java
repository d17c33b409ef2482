package io.reactiveinformer.demo.dashboard;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.reactiveinformer.demo.dashboard.Message.Heading;
import io.reactiveinformer.demo.dashboard.Message.Hello;
import io.reactiveinformer.demo.dashboard.Message.Pulse;
import io.reactiveinformer.informer.InformerFactory;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** The service behind the page: rows of the objects of some informers, for any number of browsers on this machine. */
public final class Dashboard implements AutoCloseable {

    private static final Duration BEAT = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(8); // within the time that a process has for its shutdown

    /** Bytes that the kernel buffers for a browser that does not read. More is better kept as rows, which are conflated. */
    private static final int SEND_BUFFER = 32 * 1024;

    /**
     * Buffers on the heap, which the garbage collector frees: Spring's writer of events does not release the buffer that it has just filled
     * if a browser disconnects at that moment.
     */
    private static final ByteBufAllocator BUFFERS = new UnpooledByteBufAllocator(false, true);

    private final String cluster;
    private final @Nullable FaultButtons faults;
    private final List<Table> tables;
    private final List<Vitals> vitals;
    private final Set<Browser> browsers = new ConcurrentSkipListSet<>(Comparator.comparing(Browser::name));
    private final AtomicInteger count = new AtomicInteger();
    private final Sinks.Empty<Void> closing = Sinks.empty();
    private final Flux<Pulse> pulses = Flux.defer(this::beat).replay(1).refCount();
    private final DisposableServer server;

    private Dashboard(InformerFactory informers, @Nullable FaultButtons faults, String cluster, int port) {
        this.cluster = cluster;
        this.faults = faults;
        tables = Tables.of(informers);
        vitals = tables.stream().map(Vitals::new).toList();
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(port)
                .childOption(ChannelOption.SO_SNDBUF, SEND_BUFFER)
                .childOption(ChannelOption.ALLOCATOR, BUFFERS)
                .handle(new ReactorHttpHandlerAdapter(Routes.of(this::open, faults)))
                .bindNow();
    }

    /**
     * Starts to listen, on the loopback address only. Does not start the informers.
     *
     * @param faults the faults that the page can cause; null for a real cluster
     * @param cluster the cluster in words, for the page
     * @param port 0 for any free one
     */
    public static Dashboard start(InformerFactory informers, @Nullable FaultButtons faults, String cluster, int port) {
        return new Dashboard(informers, faults, cluster, port);
    }

    /** The address of the page. */
    public String url() {
        return "http://127.0.0.1:" + server.port() + "/";
    }

    /** Completes when all tables are complete. */
    Mono<Void> synced() {
        return Flux.fromIterable(tables).flatMap(table -> table.rows().synced()).then();
    }

    /** All messages to a browser, until it disconnects or this is closed. */
    Flux<Message> open(Wish wish) {
        return Flux.<Message>defer(() -> {
            var browser = new Browser("browser-" + count.incrementAndGet(), wish, tables);
            browsers.add(browser);
            return Flux.fromIterable(List.of(browser.rows(), pulses.onBackpressureLatest()))
                    .<Message>flatMap(part -> part, 2, browser.ahead())
                    .startWith(hello(browser))
                    .doFinally(end -> browsers.remove(browser));
        }).takeUntilOther(closing.asMono());
    }

    private Hello hello(Browser browser) {
        List<Heading> headings = tables.stream().map(table -> new Heading(table.name(), table.columns())).toList();
        return new Hello(browser.name(), cluster, headings, faults == null ? List.of() : FaultButtons.NAMES);
    }

    /** Emits a pulse each second. Changes before the first browser are not counted. */
    private Flux<Pulse> beat() {
        var told = new AtomicLong(changes());
        return Flux.interval(BEAT, BEAT).onBackpressureDrop().map(tick -> {
            long now = changes();
            return pulse(now - told.getAndSet(now));
        });
    }

    /** The number of changes of rows so far. */
    long changes() {
        return vitals.stream().mapToLong(Vitals::changes).sum();
    }

    private Pulse pulse(long changes) {
        return new Pulse(changes, faults != null && faults.paused(), vitals.stream().map(Vitals::stand).toList(),
                browsers.stream().map(Browser::stand).toList());
    }

    /** Completes the messages of all browsers, and frees the port. Blocks until that is done. */
    @Override
    public void close() {
        closing.tryEmitEmpty();
        server.disposeNow(PATIENCE);
        vitals.forEach(Vitals::dispose);
    }
}
