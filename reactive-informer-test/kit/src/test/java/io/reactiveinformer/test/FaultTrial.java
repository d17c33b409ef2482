package io.reactiveinformer.test;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.test.faults.Fault;
import io.reactiveinformer.test.faults.FaultSetup;
import io.reactiveinformer.view.InformerStatus;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whether an informer gets over a fault. In virtual time: an hour is more than every pause, and the minutes after which silence is no
 * longer believed.
 *
 * @param verb of the requests that meet it: {@code list} or {@code watch}
 * @param restores whether the store is an older one after it
 */
record FaultTrial(String verb, Function<FaultSetup, Fault> fault, boolean restores) {

    /** Trees and objects of a class from JSON, and objects of that class from protocol buffers. */
    static final List<Form<?>> FORMS = List.of(new Form<>(ResourceType.dynamic("", "v1", "configmaps"), true),
            new Form<>(ResourceType.of(V1ConfigMap.class), false), new Form<>(ResourceType.of(V1ConfigMap.class), true));

    /** @param protobuf whether it is accepted */
    record Form<T>(ResourceType<T> type, boolean protobuf) {

        /** The client requests protocol buffers again some minutes after it did not understand an answer. */
        ListerWatcher<T> source(FakeApiServer server, Scheduler clock) {
            ClientOptions options = ClientOptions.defaults().withProtobuf(protobuf);
            KubernetesClient client = KubernetesClient.over(server.transport(),
                    options.withTransport(options.transport().withSilence(options.transport().silence(), clock)));
            return ListerWatcher.over(client, type, Namespaces.all());
        }
    }

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ResourceType<JsonNode> CONFIG_MAPS = ResourceType.dynamic("", "v1", "configmaps");

    void fromTheFirstRequestOn() {
        FORMS.forEach(form -> run(form, false));
    }

    /** Once the informer is synced. */
    void later() {
        FORMS.forEach(form -> run(form, true));
    }

    private <T> void run(Form<T> form, boolean later) {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        try (FakeApiServer server = FakeApiServer.builder().scheduler(clock).build()) {
            ListerWatcher<T> source = form.source(server, clock);
            boolean streaming = verb.equals("watch") && !later;
            Informer<T> informer =
                    Informer.over(source, ReflectorOptions.defaults().withTimer(clock).withRandom(() -> 0.5).withStreaming(streaming));
            List.of("a", "b", "c").forEach(name -> create(server, name));
            Fault met = later ? null : arm(server);
            informer.start();
            clock.advanceTimeBy(Duration.ofSeconds(10));
            if (later) {
                met = arm(server);
                if (verb.equals("list")) {
                    server.faults().onWatch("configmaps").expire();
                }
                server.restart(); // the next watch meets it, or is expired, and then it is the list
            }
            if (restores) {
                clock.advanceTimeBy(Duration.ofHours(1)); // until it has a doubt: changes of before that would hide what has gone
            }
            for (String name : List.of("d", "e", "f", "g")) {
                create(server, name);
                clock.advanceTimeBy(Duration.ofSeconds(7));
            }
            clock.advanceTimeBy(Duration.ofHours(1));
            assertThat(Objects.requireNonNull(met).happened(Duration.ZERO).blockOptional()).as("it happened").isPresent();
            Set<String> left = restores ? present(server) : Set.of("a", "b", "c", "d", "e", "f", "g");
            left.forEach(name -> server.objects()
                    .update("{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: t}, data: {touched: 'yes'}}"));
            clock.advanceTimeBy(Duration.ofMinutes(10));
            assertThat(cached(informer)).isEqualTo(versions(server.objects().list(CONFIG_MAPS)))
                    .hasSize(left.size()).isNotEmpty();
            InformerStatus status = Objects.requireNonNull(informer.status().blockFirst());
            assertThat(status.stale()).isEmpty();
            informer.stop();
        }
    }

    /**
     * How a client knows that no more will come: two seconds after it has seen all that is expected before a silence, or after it had ten
     * to see it; never, if no silence is expected.
     *
     * @param soFar what it saw until now
     */
    static Mono<?> silence(String expected, Fault fault, Supplier<String> soFar) {
        return expected.endsWith("silent")
                ? fault.happened(PATIENCE)
                        .then(Flux.interval(Duration.ofMillis(10)).filter(tick -> (soFar.get() + "silent").matches(expected))
                                .next()
                                .timeout(Duration.ofSeconds(10), Mono.just(0L)))
                        .delayElement(Duration.ofSeconds(2))
                : Mono.never();
    }

    private Fault arm(FakeApiServer server) {
        return fault.apply(server.faults().on(verb, "configmaps"));
    }

    private static Set<String> present(FakeApiServer server) {
        return server.objects().list(CONFIG_MAPS).stream().map(object -> object.path("metadata").path("name").asString())
                .collect(Collectors.toSet());
    }

    /** The cached objects, with their versions. */
    static Set<String> cached(Informer<?> informer) {
        Set<String> cached = new TreeSet<>();
        informer.snapshot().forEach((key, entry) -> cached.add(key.name() + "@" + entry.resourceVersion()));
        return cached;
    }

    static Set<String> versions(List<? extends JsonNode> objects) {
        return objects.stream()
                .map(object -> object.path("metadata").path("name").asString() + "@"
                        + object.path("metadata").path("resourceVersion").asString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    static void create(FakeApiServer server, String name) {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: t}}");
    }
}
