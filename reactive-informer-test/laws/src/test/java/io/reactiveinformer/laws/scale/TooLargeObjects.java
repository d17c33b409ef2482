package io.reactiveinformer.laws.scale;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** Informers in a small process; says how each stands once it is live and holds the last object that its server shows. */
final class TooLargeObjects {

    private static final ResourceType<V1ConfigMap> TYPE = ResourceType.of(V1ConfigMap.class);

    private TooLargeObjects() {}

    public static void main(String[] arguments) {
        var client = KubernetesClient.create(ClusterConfig.of(arguments[0]));
        var factory = InformerFactory.create(client);
        List<Informer<V1ConfigMap>> informers = IntStream.range(0, Integer.parseInt(arguments[1]))
                .mapToObj(number -> factory.of(TYPE, Namespaces.of("ns-" + number))).toList();
        factory.start();
        for (Informer<V1ConfigMap> informer : informers) {
            String namespace = informer.namespaces().names().iterator().next();
            informer.await(ObjectKey.of(namespace, "last"), object -> true).block(Duration.ofMinutes(2));
            InformerStatus status = Objects.requireNonNull(informer.status().filter(now -> now.state() == State.LIVE)
                    .blockFirst(Duration.ofSeconds(60)));
            System.out.println(namespace + " " + status.state() + " " + status.stale());
        }
        Runtime.getRuntime().halt(0);
    }
}
