package io.reactiveinformer.guide.processors;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.kubernetes.client.openapi.models.V1Pod;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.R2dbcTransientResourceException;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.processor.ProcessorStatus;
import io.reactiveinformer.processor.RowChange;
import io.reactiveinformer.processor.RowProcessor;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.TestView;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** The page docs/guide/processors.md: a table in H2, and a service over HTTP. */
@Timeout(60)
class ProcessorsGuideTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final ObjectKey WEB = ObjectKey.of("shop", "web");

    @TempDir
    private Path directory;

    private final FakeApiServer server = FakeApiServer.create();
    private final KubernetesClient client = KubernetesClient.over(server.transport());
    private final InformerFactory informers = InformerFactory.create(client);
    private final Informer<V1Pod> pods = informers.of(PODS);
    private final Database database = new Database();
    private final PodTable table = new PodTable(database);

    /** H2 in memory, which can be down. */
    private static final class Database implements ConnectionFactory {

        private final ConnectionFactory real = ConnectionFactories.get("r2dbc:h2:mem:///" + UUID.randomUUID() + "?options=DB_CLOSE_DELAY=-1");
        private final AtomicInteger connections = new AtomicInteger();
        private volatile boolean down;

        @Override
        public Publisher<? extends Connection> create() {
            connections.incrementAndGet();
            return down ? Mono.error(new R2dbcTransientResourceException("the database is down")) : real.create();
        }

        @Override
        public ConnectionFactoryMetadata getMetadata() {
            return real.getMetadata();
        }
    }

    @BeforeEach
    void begin() {
        table.create().block(PATIENCE);
        create("web");
        create("db");
        informers.start();
        pods.synced(PATIENCE).block();
    }

    @AfterEach
    void end() {
        informers.close();
        client.close();
        server.close();
    }

    private void create(String name) {
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: shop}, spec: {containers: [{name: main,"
                + " image: i}]}, status: {phase: Pending}}");
    }

    private void becomes(String phase) {
        server.objects().edit(PODS, WEB, pod -> {
            pod.withObject("status").put("phase", phase);
            return pod;
        });
    }

    private void awaitTable(String... lines) {
        Mono.defer(() -> table.lines().collectList()).filter(List.of(lines)::equals)
                .repeatWhenEmpty(2_000, tries -> tries.delayElements(Duration.ofMillis(10))).block(PATIENCE);
    }

    private static void await(RowProcessor<?> processor, int failing) {
        Mono.fromSupplier(processor::status).filter(status -> status.failing() == failing)
                .repeatWhenEmpty(2_000, tries -> tries.delayElements(Duration.ofMillis(10))).block(PATIENCE);
    }

    @Test
    void theTableFollowsTheClusterThroughRestartsAndOutages() {
        RowProcessor<ObjectKey> processor = table.follow(pods, directory);
        processor.start();
        processor.synced().block(PATIENCE);
        awaitTable("db Pending", "web Pending");

        database.down = true;
        for (int i = 0; i < 100; i++) {
            becomes("state-" + i);
        }
        await(processor, 1);
        ProcessorStatus status = processor.status();
        assertThat(status.failures().get(0).cause()).hasMessage("the database is down");
        database.down = false;
        awaitTable("db Pending", "web state-99");

        processor.drain(Duration.ofSeconds(5)).block(PATIENCE);
        server.objects().delete(PODS, ObjectKey.of("shop", "db"));
        create("new");
        pods.await(ObjectKey.of("shop", "new"), pod -> true).block(PATIENCE);
        int before = database.connections.get();
        RowProcessor<ObjectKey> next = table.follow(pods, directory);
        next.start();
        next.synced().block(PATIENCE);
        assertThat(database.connections.get() - before).as("one deletion, one new pod").isEqualTo(2);
        awaitTable("new Pending", "web state-99");
        next.close();
    }

    @Test
    void withoutPositionsTheRowsOfOthersAreDeletedAtTheStart() {
        table.upsert(ObjectKey.of("shop", "gone"), new V1Pod().status(new io.kubernetes.client.openapi.models.V1PodStatus().phase("Running")))
                .then(table.deleteOthers(pods)).block(PATIENCE);
        awaitTable();
    }

    /** The disk is full for a while: here, its directory does not exist. */
    @Test
    void theAuditGoesOnAndSaysWhatIsMissing() throws Exception {
        Instant before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        Path log = directory.resolve("disk/audit.log");
        Disposable audit = new PodAudit(log).follow(pods, 10).subscribe();
        for (int i = 0; i < 50; i++) {
            becomes("state-" + i);
        }
        pods.await(WEB, pod -> "state-49".equals(pod.getStatus().getPhase())).block(PATIENCE);
        Files.createDirectory(log.getParent());
        awaitLine(log, "updated shop/web: state-49");
        becomes("last");
        awaitLine(log, "updated shop/web: last");
        List<String> lines = Files.readAllLines(log);
        int gap = IntStream.range(0, lines.size()).filter(i -> lines.get(i).contains("are missing")).findFirst().orElseThrow();
        int missing = Integer.parseInt(lines.get(gap).split(" ", -1)[0]);
        assertThat(missing).as("of 50 states at least 40 cannot wait").isBetween(39, 50);
        assertThat(lines.subList(gap + 1, lines.size())).as("each state after the gap").filteredOn(line -> line.contains("shop/web"))
                .extracting(line -> line.split("[ ,]", -1)[2])
                .isEqualTo(Stream.concat(IntStream.range(missing - 1, 50).mapToObj(i -> "state-" + i), Stream.of("last")).toList());
        assertThat(Instant.parse(lines.get(gap).split("[ ,]", -1)[5])).isBetween(before, Instant.now());
        audit.dispose();
    }

    @Test
    void theAuditHasEachState() throws Exception {
        Path log = directory.resolve("audit.log");
        Disposable audit = new PodAudit(log).follow(pods, 10_000).subscribe();
        awaitLine(log, "all present pods were written");
        for (int i = 0; i < 50; i++) {
            becomes("state-" + i);
        }
        awaitLine(log, "updated shop/web: state-49");
        assertThat(Files.readAllLines(log)).hasSize(53);
        audit.dispose();
    }

    private static void awaitLine(Path log, String beginning) {
        Mono.fromCallable(() -> Files.exists(log) && Files.readAllLines(log).stream().anyMatch(line -> line.startsWith(beginning)))
                .filter(found -> found).repeatWhenEmpty(2_000, tries -> tries.delayElements(Duration.ofMillis(10))).block(PATIENCE);
    }

    @Test
    void aServiceIsAskedAgainWhenItWants() {
        var asked = new CopyOnWriteArrayList<String>();
        DisposableServer service = HttpServer.create().port(0).route(routes -> routes.put("/pods/shop/{name}", (request, response) -> {
            asked.add(request.param("name"));
            return asked.size() == 1 ? response.status(429).header("Retry-After", "1").send() : response.status(204).send();
        })).bindNow();
        var breaker = CircuitBreaker.of("pods", CircuitBreakerConfig.custom() // without a lock, since answers are read on event loops
                .slidingWindow(100, 100, SlidingWindowType.COUNT_BASED, SlidingWindowSynchronizationStrategy.LOCK_FREE).build());
        var notices = new PodNotices(WebClient.create("http://127.0.0.1:" + service.port()), breaker);
        RowProcessor<ObjectKey> processor = notices.tell(pods);
        processor.start();
        processor.synced().block(PATIENCE);
        assertThat(asked).hasSize(3).containsOnly("web", "db");
        processor.close();
        service.disposeNow();
    }

    @Test
    void aRowThatFailsIsTestedInVirtualTime() {
        var time = VirtualTimeScheduler.getOrSet();
        TestView<String, String> view = TestView.of(Map.of("web", "s1"));
        var tries = new AtomicInteger();
        RowProcessor<String> processor = RowProcessor.of("test", view)
                .process(row -> tries.incrementAndGet() < 3 ? Mono.error(new IllegalStateException("not yet")) : Mono.empty());
        StepVerifier.withVirtualTime(processor::run, () -> time, Long.MAX_VALUE)
                .expectSubscription()
                .assertNext(outcome -> assertThat(outcome.retries()).isZero())
                .expectNoEvent(Duration.ofMillis(100)) // the first pause, and then the second
                .assertNext(outcome -> assertThat(outcome.retries()).isOne())
                .expectNoEvent(Duration.ofMillis(200))
                .assertNext(outcome -> assertThat(processor.status().behind()).isZero())
                .then(view::stop)
                .expectComplete()
                .verify(PATIENCE);
        VirtualTimeScheduler.reset();
    }

    @Test
    void severalRowsInOneStatement() {
        TestView<String, String> view = TestView.of(Map.of("a", "1", "b", "1", "c", "1"));
        var batches = new CopyOnWriteArrayList<Integer>();
        RowProcessor<String> processor = RowProcessor.of("test", view)
                .processBatches(500, Duration.ofMillis(50), rows -> insert(rows).doOnSuccess(done -> batches.add(rows.size())));
        processor.start();
        processor.synced().block(PATIENCE);
        assertThat(batches).containsExactly(3);
        processor.close();
    }

    private static Mono<Void> insert(List<RowChange<String, String>> rows) {
        return Flux.fromIterable(rows).then();
    }
}
