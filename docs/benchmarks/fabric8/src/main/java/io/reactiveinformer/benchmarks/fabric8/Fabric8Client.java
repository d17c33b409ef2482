package io.reactiveinformer.benchmarks.fabric8;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Lister;
import io.reactiveinformer.benchmarks.trial.Contender;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The informers of io.fabric8:kubernetes-client, used as its documentation shows. */
public final class Fabric8Client implements Contender {

    private final List<SharedIndexInformer<Pod>> informers = new ArrayList<>();
    private final Long limit;
    private KubernetesClient client;

    public Fabric8Client() {
        this.limit = null;
    }

    /** @param limit of the pages of a list */
    public Fabric8Client(String limit) {
        this.limit = Long.valueOf(limit);
    }

    @Override
    public void start(String url, List<String> namespaces, Handler handler) {
        client = new KubernetesClientBuilder().withConfig(url.startsWith("http")
                ? new ConfigBuilder(Config.empty()).withMasterUrl(url).build() : Config.fromKubeconfig(new File(url))).build();
        for (String namespace : namespaces.isEmpty() ? List.of("") : namespaces) {
            SharedIndexInformer<Pod> informer = namespace.isEmpty()
                    ? everywhere() : client.pods().inNamespace(namespace).runnableInformer(0);
            informer.addEventHandler(new ResourceEventHandler<>() {
                @Override
                public void onAdd(Pod pod) {
                    tell(pod);
                }

                @Override
                public void onUpdate(Pod before, Pod pod) {
                    tell(pod);
                }

                private void tell(Pod pod) {
                    Map<String, String> annotations = pod.getMetadata().getAnnotations();
                    handler.handle(annotations == null ? null : annotations.get("trial.example/mark"));
                }

                @Override
                public void onDelete(Pod pod, boolean unknown) {}
            });
            informers.add(informer);
        }
        started = informers.stream().map(informer -> informer.start().toCompletableFuture()).toList();
    }

    private List<java.util.concurrent.CompletableFuture<Void>> started = List.of();

    private SharedIndexInformer<Pod> everywhere() {
        return limit == null ? client.pods().inAnyNamespace().runnableInformer(0) : client.pods()
                .inAnyNamespace().withLimit(limit).runnableInformer(0);
    }

    @Override
    public void awaitSynced() throws Exception {
        for (var one : started) {
            one.get(10, TimeUnit.MINUTES);
        }
    }

    @Override
    public int size() {
        return informers.stream().mapToInt(informer -> informer.getIndexer().listKeys().size()).sum();
    }

    @Override
    public String version(String namespace, String name) {
        Pod pod = (Pod) get(namespace, name);
        return pod == null ? null : pod.getMetadata().getResourceVersion();
    }

    @Override
    public Object get(String namespace, String name) {
        return new Lister<>(informers.get(0).getIndexer(), namespace).get(name);
    }

    @Override
    public int list(String namespace) {
        int found = 0;
        for (Pod pod : new Lister<>(informers.get(0).getIndexer(), namespace).list()) {
            found += pod.getMetadata() == null ? 0 : 1;
        }
        return found;
    }

    @Override
    public void close() {
        informers.forEach(SharedIndexInformer::stop);
        client.close();
        informers.clear();
    }
}
