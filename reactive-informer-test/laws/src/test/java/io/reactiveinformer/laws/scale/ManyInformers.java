package io.reactiveinformer.laws.scale;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import reactor.core.publisher.Flux;

/**
 * Brings up informers for as many namespaces as its argument says, and prints how many threads that took beyond those there were before.
 */
final class ManyInformers {

    private ManyInformers() {}

    public static void main(String[] arguments) {
        Set<Thread> before = Set.copyOf(Thread.getAllStackTraces().keySet());
        try (var client = KubernetesClient.create(ClusterConfig.of(arguments[0])); var factory = InformerFactory.create(client)) {
            List<Informer<V1ConfigMap>> informers = IntStream.range(0, Integer.parseInt(arguments[1]))
                    .mapToObj(number -> factory.of(ResourceType.of(V1ConfigMap.class), Namespaces.of("ns-" + number))).toList();
            factory.start();
            long live = Flux.fromIterable(informers)
                    .flatMap(informer -> informer.status().filter(status -> status.state() == State.LIVE && status.synced()).next(), 1000)
                    .count().block(Duration.ofMinutes(1));
            long objects = informers.stream().mapToLong(informer -> informer.snapshot().size()).sum();
            Set<Thread> added = Thread.getAllStackTraces().keySet().stream().filter(thread -> !before.contains(thread))
                    .collect(Collectors.toSet());
            System.out.println("live " + live);
            System.out.println("objects " + objects);
            System.out.println("threads " + added.size());
            System.out.println("names " + added.stream().map(Thread::getName).sorted().toList());
        }
    }
}
