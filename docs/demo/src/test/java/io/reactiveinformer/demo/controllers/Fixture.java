package io.reactiveinformer.demo.controllers;

import io.kubernetes.client.common.KubernetesObject;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Controller.Reconciled;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.recorder.EventRecorder;
import io.reactiveinformer.recorder.EventRecorder.Occurrence;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.transport.TransportOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;


/** A cluster in virtual time, without sockets: given these objects, what does a controller ask for? */
final class Fixture implements AutoCloseable {

    static final Duration MOMENT = Duration.ofMillis(900);

    final VirtualTimeScheduler clock = VirtualTimeScheduler.getOrSet();
    final FakeApiServer server = FakeApiServer.builder().scheduler(clock).build();
    final Cluster cluster;
    private final KubernetesClient client;
    private final List<Controller<ObjectKey>> controllers = new ArrayList<>();
    private final Disposable.Composite listening = Disposables.composite();
    private final List<Throwable> failures = new ArrayList<>();
    private final List<String> events = new ArrayList<>();

    /** Records what would be written as Events. */
    private final class Notes implements EventRecorder {

        private final String controller;

        Notes(String controller) {
            this.controller = controller;
        }

        @Override
        public void record(Occurrence occurrence) {
            String object = occurrence.regarding().kind() + " " + occurrence.regarding().name();
            events.add(controller + " of " + object + ": " + occurrence.type() + " " + occurrence.reason() + ", " + occurrence.note());
        }

        @Override
        public Mono<Void> close(Duration grace) {
            return Mono.empty();
        }

        @Override
        public void close() {}
    }

    Fixture() {
        client = KubernetesClient.over(server.transport(), ClientOptions.defaults()
                .withTransport(TransportOptions.defaults().withSilence(Duration.ofMinutes(1), clock))
                .withWriteLimit(0, 1)
                .withListsAtOnce(0));
        var informers = InformerFactory.create(client, ReflectorOptions.defaults().withTimer(clock).withRandom(() -> 0.5));
        cluster = new Cluster(client, informers, Notes::new, clock);
    }

    ObjectNode given(String yaml) {
        return server.objects().create(yaml);
    }

    /** Starts it with full caches, and lets it come to rest. */
    @SafeVarargs
    final Fixture start(Function<Cluster, Controller<ObjectKey>>... made) {
        for (var make : made) {
            Controller<ObjectKey> controller = make.apply(cluster);
            controllers.add(controller);
            listening.add(controller.results().map(Reconciled::result).ofType(Result.Failed.class)
                    .subscribe(failed -> failures.add(failed.cause())));
        }
        cluster.informers().start();
        pass(MOMENT);
        server.requests().clear();
        controllers.forEach(Controller::start);
        return pass(MOMENT);
    }

    Fixture pass(Duration time) {
        clock.advanceTimeBy(time);
        return this;
    }

    /** From here on, writes are counted anew. */
    Fixture forget() {
        server.requests().clear();
        return this;
    }

    /** These and no others, in this order. */
    Fixture expectWrites(String... expected) {
        server.requests().verifyWrites(expected);
        return this;
    }

    /** What a controller could not do, and did again. */
    List<Throwable> failures() {
        return failures;
    }

    /** The recorded events, in order. */
    List<String> events() {
        return events;
    }

    List<ObjectNode> all(ResourceType<?> type) {
        return server.objects().list(type);
    }

    List<String> names(ResourceType<?> type) {
        return all(type).stream().map(object -> object.path("metadata").path("name").asString()).toList();
    }

    ObjectNode get(ResourceType<?> type, String name) {
        return server.objects().get(type, ObjectKey.of("default", name)).orElseThrow();
    }

    /** Whose controller is this owner, or, with an uid of nobody, nobody. */
    static String ownedBy(String kind, JsonNode owner) {
        return "ownerReferences: [{apiVersion: apps/v1, kind: %s, name: %s, uid: '%s', controller: true}]".formatted(
                kind, owner.path("metadata").path("name").asString(), owner.path("metadata").path("uid").asString());
    }

    void edit(ResourceType<? extends KubernetesObject> type, String name, Consumer<ObjectNode> change) {
        server.objects().edit(type, ObjectKey.of("default", name), object -> {
            change.accept(object);
            return object;
        });
    }

    @Override
    public void close() {
        listening.dispose();
        controllers.forEach(Controller::close);
        cluster.informers().close();
        client.close();
        server.close();
        VirtualTimeScheduler.reset();
    }
}
