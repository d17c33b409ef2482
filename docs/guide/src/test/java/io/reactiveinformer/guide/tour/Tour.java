package io.reactiveinformer.guide.tour;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.FieldPath;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.util.Optional;

/** Pods, and how many are on each node. */
public final class Tour {

    record PodLine(@FieldPath("spec.nodeName") String node, @FieldPath("status.phase") String phase) {}

    private static final Index<PodLine, String> BY_NODE = Index.of("node", PodLine::node);

    private Tour() {}

    public static void main(String[] args) {
        var client = KubernetesClient.create(args.length == 0 ? ClusterConfig.detect() : ClusterConfig.of(args[0]));
        InformerFactory informers = InformerFactory.create(client);
        Informer<PodLine> pods = informers.of(ResourceType.of(V1Pod.class).as(PodLine.class));          // 0.4 KB of heap a pod

        pods.status().subscribe(status -> System.out.println("status: " + status.state()
                + (status.cause() == null ? "" : ", " + status.cause().getMessage())));                 // says what is wrong

        View<String, Snapshot<ObjectKey, PodLine>> nodes = pods.group(pod -> Optional.ofNullable(pod.node()));
        nodes.sample(Duration.ofSeconds(1)).changes().subscribe(change -> change.accept(        // at most once a second for each node
                added -> System.out.println(added.key() + ": " + added.object().size() + " pods"),
                updated -> System.out.println(updated.key() + ": " + updated.after().size() + " pods"),
                deleted -> System.out.println(deleted.key() + ": empty"),
                synced -> System.out.println(synced.count() + " nodes have pods")));

        pods.addIndex(BY_NODE).subscribe();
        pods.synced().subscribe(done -> {}, failure -> System.err.println(failure.getMessage()),
                () -> System.out.println(pods.lister().by(BY_NODE, "node-1").count() + " pods on node-1"));    // from memory

        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            informers.stop(Duration.ofSeconds(5)).block();                                              // subscribers get the rest
            client.close();
        }));
        informers.start();                                                                              // returns at once
    }
}
