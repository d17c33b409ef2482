package io.reactiveinformer.benchmarks.official;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.util.CallGeneratorParams;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.reactiveinformer.benchmarks.trial.Contender;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The shared informers of io.kubernetes:client-java, used as its documentation shows. */
public final class OfficialClient implements Contender {

    private static final String ANYWHERE = "";

    private final List<SharedIndexInformer<V1Pod>> informers = new ArrayList<>();
    private final List<SharedInformerFactory> factories = new ArrayList<>();
    private ApiClient client;

    private static ApiClient ofKubeconfig(Path file) {
        try (Reader reader = Files.newBufferedReader(file)) {
            return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(reader)).build();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void start(String url, List<String> namespaces, Handler handler) {
        client = url.startsWith("http") ? new ClientBuilder().setBasePath(url).build() : ofKubeconfig(Path.of(url));
        client.setHttpClient(client.getHttpClient().newBuilder().readTimeout(Duration.ZERO).build());
        var pods = new CoreV1Api(client);
        for (String namespace : namespaces.isEmpty() ? List.of(ANYWHERE) : namespaces) {
            // A factory holds one informer of a class.
            var factory = new SharedInformerFactory(client);
            SharedIndexInformer<V1Pod> informer = factory.sharedIndexInformerFor(
                    (CallGeneratorParams params) -> namespace.equals(ANYWHERE)
                            ? pods.listPodForAllNamespaces().resourceVersion(params.resourceVersion).timeoutSeconds(params.timeoutSeconds)
                                    .watch(params.watch).buildCall(null)
                            : pods.listNamespacedPod(namespace).resourceVersion(params.resourceVersion)
                                    .timeoutSeconds(params.timeoutSeconds)
                                    .watch(params.watch).buildCall(null),
                    V1Pod.class, V1PodList.class);
            informer.addEventHandler(new ResourceEventHandler<>() {
                @Override
                public void onAdd(V1Pod pod) {
                    tell(pod);
                }

                @Override
                public void onUpdate(V1Pod before, V1Pod pod) {
                    tell(pod);
                }

                private void tell(V1Pod pod) {
                    Map<String, String> annotations = pod.getMetadata().getAnnotations();
                    handler.handle(annotations == null ? null : annotations.get("trial.example/mark"));
                }

                @Override
                public void onDelete(V1Pod pod, boolean unknown) {}
            });
            informers.add(informer);
            factories.add(factory);
        }
        factories.forEach(SharedInformerFactory::startAllRegisteredInformers);
    }

    @Override
    public void awaitSynced() {
        while (!informers.stream().allMatch(SharedIndexInformer::hasSynced)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    @Override
    public int size() {
        return informers.stream().mapToInt(informer -> informer.getIndexer().listKeys().size()).sum();
    }

    @Override
    public String version(String namespace, String name) {
        V1Pod pod = (V1Pod) get(namespace, name);
        return pod == null ? null : pod.getMetadata().getResourceVersion();
    }

    @Override
    public Object get(String namespace, String name) {
        return new Lister<>(informers.get(0).getIndexer(), namespace).get(name);
    }

    @Override
    public int list(String namespace) {
        int found = 0;
        for (V1Pod pod : new Lister<>(informers.get(0).getIndexer(), namespace).list()) {
            found += pod.getMetadata() == null ? 0 : 1;
        }
        return found;
    }

    @Override
    public void close() {
        factories.forEach(factory -> factory.stopAllRegisteredInformers(true));
        factories.clear();
        informers.clear();
    }
}
