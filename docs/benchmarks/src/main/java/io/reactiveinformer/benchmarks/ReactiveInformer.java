package io.reactiveinformer.benchmarks;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.benchmarks.trial.Contender;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.ResourceEventHandler;
import io.reactiveinformer.resource.FieldPath;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.view.SubscriberStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** This library, used as its documentation shows. */
public final class ReactiveInformer implements Contender {

    /** Five fields, one of them a value of an annotation. */
    public record FiveFields(
            @FieldPath("metadata.annotations['trial.example/mark']") @Nullable String mark,
            @FieldPath("spec.nodeName") @Nullable String node,
            @FieldPath("status.phase") @Nullable String phase,
            @FieldPath("status.podIP") @Nullable String address,
            @FieldPath("metadata.deletionTimestamp") @Nullable String deleted) {}

    private final String form;
    private final List<Informer<?>> informers = new ArrayList<>();
    private @Nullable KubernetesClient client;
    private @Nullable InformerFactory factory;

    public ReactiveInformer() {
        this("typed");
    }

    /** @param form {@code typed}, {@code typed-json}, {@code typed-managed}, {@code projected} or {@code metadata} */
    public ReactiveInformer(String form) {
        this.form = form;
    }

    @Override
    public void start(String url, List<String> namespaces, Handler handler) {
        ResourceType<V1Pod> pods = ResourceType.of(V1Pod.class);
        KubernetesClient made =
                KubernetesClient.create(ClusterConfig.of(url), ClientOptions.defaults()
                        .withProtobuf(!form.equals("typed-json")).withManagedFields(form.equals("typed-managed")));
        InformerFactory informersOf = InformerFactory.create(made);
        client = made;
        factory = informersOf;
        List<Namespaces> parts = namespaces.isEmpty() ? List.of(Namespaces.all()) : namespaces.stream().map(Namespaces::of).toList();
        for (Namespaces part : parts) {
            switch (form) {
                case "typed", "typed-json", "typed-managed" -> add(informersOf.of(pods, part), handler, pod -> mark(pod.getMetadata()));
                case "projected" -> add(informersOf.of(pods.as(FiveFields.class), part), handler, FiveFields::mark);
                case "metadata" -> add(informersOf.of(ResourceType.metadata("", "v1", "pods"), part), handler, pod -> mark(pod.metadata()));
                default -> throw new IllegalArgumentException("no form " + form);
            }
        }
        informersOf.start();
    }

    private static @Nullable String mark(@Nullable V1ObjectMeta metadata) {
        Map<String, String> annotations = metadata == null ? null : metadata.getAnnotations();
        return annotations == null ? null : annotations.get("trial.example/mark");
    }

    private <T> void add(Informer<T> informer, Handler handler, Function<T, @Nullable String> mark) {
        informer.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(T pod, boolean initial) {
                tell(pod);
            }

            @Override
            public void onUpdate(T before, T pod) {
                tell(pod);
            }

            private void tell(T pod) {
                handler.handle(mark.apply(pod));
            }
        });
        informers.add(informer);
    }

    @Override
    public void awaitSynced() {
        Flux.fromIterable(informers).flatMap(Informer::synced, 1000).blockLast();
    }

    @Override
    public int size() {
        return informers.stream().mapToInt(informer -> informer.snapshot().size()).sum();
    }

    @Override
    public @Nullable String version(String namespace, String name) {
        Versioned<?> held = informers.get(0).snapshot().find(ObjectKey.of(namespace, name));
        return held == null ? null : held.resourceVersion();
    }

    @Override
    public @Nullable Object get(String namespace, String name) {
        return informers.get(0).lister().get(ObjectKey.of(namespace, name)).orElse(null);
    }

    @Override
    public int list(String namespace) {
        int found = 0;
        for (Object pod : informers.get(0).lister().inNamespace(namespace).list()) {
            found += pod instanceof V1Pod typed && typed.getMetadata() == null ? 0 : 1;
        }
        return found;
    }

    @Override
    public int backlog() {
        return informers.stream().flatMap(informer -> informer.subscribers().stream()).mapToInt(SubscriberStatus::backlog).sum();
    }

    @Override
    public void close() {
        informers.clear();
        Objects.requireNonNull(factory).close();
        Objects.requireNonNull(client).close();
    }
}
