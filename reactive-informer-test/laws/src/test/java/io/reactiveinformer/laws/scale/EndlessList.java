package io.reactiveinformer.laws.scale;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.delta.DeltaStage;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Store;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** Four informers of few objects, and beside them a list without an end: says why it fails, three times, and how the others stand then. */
final class EndlessList {

    private static final ResourceType<V1ConfigMap> TYPE = ResourceType.of(V1ConfigMap.class);

    private EndlessList() {}

    public static void main(String[] arguments) {
        var factory = InformerFactory.create(KubernetesClient.create(ClusterConfig.of(arguments[0])));
        List<Informer<V1ConfigMap>> informers =
                IntStream.range(0, 4).mapToObj(number -> factory.of(TYPE, Namespaces.of("ns-" + number))).toList();
        factory.start();
        informers.forEach(informer -> informer.synced().block(Duration.ofSeconds(60)));
        for (String how : List.of("pages", "stream")) {
            fails(arguments[0], how);
            System.out.println("beside-" + how + " " + informers.stream().map(EndlessList::settled).toList());
        }
        Runtime.getRuntime().halt(0);
    }

    /** As part of an informer does. */
    private static void fails(String url, String how) {
        KubernetesClient client = KubernetesClient.create(ClusterConfig.of(url));
        Store<V1ConfigMap> store = Store.create();
        List<ReflectorEvent.Disrupted<?>> failures = new CopyOnWriteArrayList<>();
        Reflector.of(ListerWatcher.over(client, TYPE, Namespaces.of("ns-" + how)), store,
                        ReflectorOptions.defaults().withStreaming(how.equals("stream"))
                                .withGiveUpWhen(disrupted -> failures.add(disrupted) && failures.size() == 3))
                .events().transform(DeltaStage.over(store)).doOnNext(store::apply)
                .then().onErrorComplete().block(Duration.ofMinutes(2));
        failures.forEach(failure -> System.out.println(how + " " + failure.cause().getMessage()));
        client.dispose().block(Duration.ofSeconds(30));
    }

    private static State settled(Informer<?> informer) {
        return Objects.requireNonNull(
                informer.status().map(InformerStatus::state).filter(state -> state == State.LIVE).blockFirst(Duration.ofSeconds(60)));
    }
}
