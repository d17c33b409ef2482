package io.reactiveinformer.guide.operator;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.leader.LeaderElector;
import io.reactiveinformer.resource.ObjectKey;
import java.time.Duration;
import reactor.core.publisher.Mono;

/** Runs the operator in one of several replicas. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        KubernetesClient client = KubernetesClient.create(ClusterConfig.detect());
        InformerFactory informers = InformerFactory.create(client);
        var operator = new WebsiteOperator(client, informers, key -> Mono.fromRunnable(() -> System.out.println("purged " + key)));
        var elector = LeaderElector.of(client, ObjectKey.of("default", "website-operator"));

        operator.controller().warm();                                   // a replica that begins to lead has its caches already
        informers.start();
        Mono<Void> leading = elector.whileLeading(term -> operator.controller().run()).then();

        Runtime.getRuntime().addShutdownHook(new Thread(() -> operator.stop()
                .then(elector.resign())
                .then(informers.stop(Duration.ofSeconds(5)))
                .block(Duration.ofSeconds(45))));
        leading.block();
    }
}
