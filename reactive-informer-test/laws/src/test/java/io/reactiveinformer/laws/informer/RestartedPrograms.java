package io.reactiveinformer.laws.informer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import io.reactiveinformer.warmstart.WarmStartStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A program that is started again over the same server and the same files, in virtual time; and what it said and asked. */
abstract class RestartedPrograms {

    static final Duration PATIENCE = Duration.ofSeconds(20);
    static final ResourceType<V1ConfigMap> CONFIG_MAPS = ResourceType.of(V1ConfigMap.class);
    static final InformerSpec<V1ConfigMap> ALL = InformerSpec.of(CONFIG_MAPS);

    @TempDir
    Path directory;

    final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    final FakeApiServer server = FakeApiServer.create();
    final List<InformerFactory> programs = new ArrayList<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(Informer.class);
    final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.list = new CopyOnWriteArrayList<>(); // read while others write
        log.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
    }

    @AfterEach
    void close() {
        logger.detachAppender(log);
        logger.setLevel(null);
        programs.forEach(program -> program.stop(PATIENCE).block(PATIENCE)); // nothing is being saved any more
        server.close();
    }

    final InformerFactory program() {
        return program(KubernetesClient.over(server.transport()), WarmStartStorage.inDirectory(directory));
    }

    final InformerFactory program(KubernetesClient client, WarmStartStorage store) {
        InformerFactory program = InformerFactory.create(client, ReflectorOptions.defaults().withTimer(time).withRandom(() -> 0),
                Duration.ofMinutes(1), store);
        program.start();
        programs.add(program);
        return program;
    }

    final <T> void ranBefore(InformerSpec<T> spec) {
        InformerFactory before = program();
        before.of(spec).synced().block(PATIENCE);
        before.stop(PATIENCE).block(PATIENCE);
        server.requests().clear();
    }

    final void create(String name) {
        server.objects().create(configMap(name, "blue"));
    }

    static String configMap(String name, String sky) {
        return "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: t}, data: {sky: " + sky + "}}";
    }

    static ObjectKey key(String name) {
        return ObjectKey.of("t", name);
    }

    static InformerStatus status(Informer<?> informer) {
        return informer.status().blockFirst(PATIENCE);
    }

    /** What the server was asked, in short. */
    final List<String> asked() {
        return server.requests().all().stream().map(request -> {
            String uri = request.uri();
            String how = uri.contains("sendInitialEvents") ? " streamed" : uri.contains("limit=1&")
                    || uri.endsWith("limit=1") ? " one" : "";
            return request.verb() + how;
        }).toList();
    }

    final List<String> warnings() {
        return log.list.stream().filter(line -> line.getLevel() == Level.WARN).map(ILoggingEvent::getFormattedMessage).toList();
    }

    final List<Path> files() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    final void letTimePassUntilLive(Informer<?> informer) {
        Disposable clock = Flux.interval(Duration.ofMillis(5)).subscribe(tick -> time.advanceTimeBy(Duration.ofMillis(20)));
        try {
            informer.status().filter(now -> now.state() == State.LIVE && now.synced()).blockFirst(PATIENCE);
        } finally {
            clock.dispose();
        }
    }

    /** Also where a timer is set only after another thread has done its part. */
    final void letTimePassUntil(BooleanSupplier condition) {
        Flux.interval(Duration.ofMillis(5))
                .doOnNext(tick -> time.advanceTimeBy(Duration.ofSeconds(20)))
                .takeUntil(tick -> condition.getAsBoolean())
                .blockLast(PATIENCE);
    }

    private static V1ConfigMap noRed(V1ConfigMap object) {
        if (object.getData() != null && "red".equals(object.getData().get("sky"))) {
            throw new IllegalStateException("no red");
        }
        return object;
    }

    /** A transform that refuses. */
    static final UnaryOperator<V1ConfigMap> NO_RED = RestartedPrograms::noRed;
}
