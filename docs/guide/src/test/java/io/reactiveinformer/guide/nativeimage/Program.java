package io.reactiveinformer.guide.nativeimage;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.json.InformerModule;
import io.reactiveinformer.leader.LeaderElector;
import io.reactiveinformer.leader.Leadership;
import io.reactiveinformer.permissions.Permissions;
import io.reactiveinformer.permissions.User;
import io.reactiveinformer.recorder.EventRecorder;
import io.reactiveinformer.recorder.ObjectReference;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.warmstart.WarmStartStorage;
import java.nio.file.Path;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Uses the parts of the library that read or write objects by themselves, or an informer of pods. */
final class Program {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final ObjectKey FIRST = ObjectKey.of("shop", "first");

    private Program() {}

    /** @param arguments the server, a directory, and {@code pods} or anything else */
    public static void main(String[] arguments) {
        try (KubernetesClient client = KubernetesClient.create(ClusterConfig.of(arguments[0]));
                InformerFactory informers =
                        InformerFactory.create(client, WarmStartStorage.inDirectory(Path.of(arguments[1])));
                EventRecorder events = EventRecorder.of(client, "program")) {
            if (arguments[2].equals("pods")) {
                Informer<V1Pod> pods = informers.of(ResourceType.of(V1Pod.class));
                informers.start();
                System.out.println(pods.await(FIRST, any -> true).block(PATIENCE).getSpec());
                ResourceClient<V1Pod> writer = client.resources(ResourceType.of(V1Pod.class));
                writer.update(FIRST, pods.lister().get(FIRST).orElseThrow()).block(PATIENCE);
            } else {
                readAndWrite(client, informers, events);
            }
        }
        System.out.println("done");
        System.exit(0);
    }

    private static void readAndWrite(KubernetesClient client, InformerFactory informers, EventRecorder events) {
        Informer<PartialObjectMetadata> notes = informers.of(ResourceType.metadata("", "v1", "configmaps"));
        informers.start();
        notes.await(FIRST, any -> true).block(PATIENCE);
        ResourceClient<JsonNode> writer = client.resources(ResourceType.dynamic("", "v1", "configmaps"));
        JsonNode object = JsonMapper.shared().readTree("{\"metadata\": {\"name\": \"second\", \"namespace\": \"shop\"}}");
        writer.create(Namespaces.of("shop"), object).block(PATIENCE);
        notes.await(ObjectKey.of("shop", "second"), any -> true).block(PATIENCE); // the watch has expired: after another list
        writer.delete(FIRST).block(PATIENCE);
        client.resources(ResourceType.dynamic("apps", "v1", "deployments")).scale().get(FIRST).block(PATIENCE);
        client.resources(ResourceType.metadata("", "v1", "configmaps")).get(FIRST).onErrorComplete().block(PATIENCE);
        events.record(EventRecorder.Occurrence.normal(ObjectReference.of("v1", "ConfigMap", FIRST), "Seen", "See", "saw it"));
        events.close(PATIENCE).block(PATIENCE);
        LeaderElector elector = LeaderElector.of(client, ObjectKey.of("shop", "leader"));
        elector.leadership().filter(Leadership.Leading.class::isInstance).blockFirst(PATIENCE);
        elector.resign().block(PATIENCE);
        client.discovery().all().blockLast(PATIENCE);
        Permissions permissions = Permissions.of(informers);
        permissions.rights(User.of("jane"), ResourceType.metadata("", "v1", "configmaps"), "list")
                .filter(rights -> rights.test(FIRST)).blockFirst(PATIENCE);
        permissions.close();
        System.out.println(JsonMapper.builder().addModule(new InformerModule()).build()
                .writeValueAsString(notes.status().blockFirst(PATIENCE)));
    }
}
