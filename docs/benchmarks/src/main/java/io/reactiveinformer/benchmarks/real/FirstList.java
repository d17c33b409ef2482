package io.reactiveinformer.benchmarks.real;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ResourceType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A process of its own: for each line of its input, makes clients, waits until an informer of pods is synced in each, writes what that
 * took, and closes them. The first turn is cold, with classes to load and nothing compiled; the others are warm.
 */
final class FirstList {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private FirstList() {}

    /** @param args a kubeconfig, an {@link Asking}, how many clients ask at once, and whether in protocol buffers */
    public static void main(String[] args) throws IOException {
        Asking asking = Asking.valueOf(args[1]);
        int clients = Integer.parseInt(args[2]);
        ClientOptions options = ClientOptions.defaults().withProtobuf(Boolean.parseBoolean(args[3]));
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (input.readLine() != null) {
            System.out.println(turn(ClusterConfig.kubeconfig(Path.of(args[0])), options, asking, clients));
        }
    }

    private static String turn(ClusterConfig cluster, ClientOptions options, Asking asking, int count) {
        List<KubernetesClient> clients = new ArrayList<>();
        List<InformerFactory> factories = new ArrayList<>();
        List<Informer<V1Pod>> informers = new ArrayList<>();
        long cpu = cpuMillis();
        long began = System.nanoTime();
        String failure = "";
        try {
            for (int i = 0; i < count; i++) {
                clients.add(KubernetesClient.create(cluster, options));
                factories.add(InformerFactory.create(clients.get(i), asking.options()));
                informers.add(factories.get(i).of(ResourceType.of(V1Pod.class)));
                factories.get(i).start();
            }
            for (Informer<V1Pod> informer : informers) {
                informer.synced(PATIENCE).block(PATIENCE.plusSeconds(5));
            }
        } catch (RuntimeException notSynced) {
            failure = String.valueOf(notSynced.getMessage()).replaceAll("\\s+", " ");
        }
        long millis = (System.nanoTime() - began) / 1_000_000;
        long used = cpuMillis() - cpu;
        int objects = informers.stream().mapToInt(informer -> informer.lister().count()).sum();
        factories.forEach(InformerFactory::close);
        clients.forEach(client -> client.dispose().block(PATIENCE));
        return "turn " + millis + " " + used + " " + objects + " " + failure;
    }

    private static long cpuMillis() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1_000_000;
    }
}
