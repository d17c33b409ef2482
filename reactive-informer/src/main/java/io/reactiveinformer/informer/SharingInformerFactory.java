package io.reactiveinformer.informer;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.source.ListerWatcher;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Hands out one informer for each (type, scope, selector). */
final class SharingInformerFactory implements InformerFactory {

    private record Wanted(ResourceType<?> type, Scope scope, Selector selector) {}

    private final KubernetesClient client;
    private final ReflectorOptions<?> options;
    private final Map<Wanted, SharedInformer<?>> informers = new LinkedHashMap<>(); // guarded by itself
    private boolean started; // guarded by informers
    private boolean closed; // guarded by informers

    SharingInformerFactory(KubernetesClient client, ReflectorOptions<?> options) {
        this.client = client;
        this.options = options;
    }

    @Override
    @SuppressWarnings("unchecked") // equal types have the same object class
    public <T> Informer<T> of(ResourceType<T> type, Scope scope, Selector selector) {
        synchronized (informers) {
            if (closed) {
                throw new IllegalStateException("this InformerFactory is closed; no informer for " + type + " can be had of it any more");
            }
            var informer = (Informer<T>) informers.compute(new Wanted(type, scope, selector), (wanted, held) ->
                    held == null || held.isOver() ? create(type, scope, selector) : held);
            if (started) {
                informer.start();
            }
            return informer;
        }
    }

    private <T> SharedInformer<T> create(ResourceType<T> type, Scope scope, Selector selector) {
        return new SharedInformer<>(type + " in " + scope, scope, part -> ListerWatcher.over(client, type, part, selector), options);
    }

    @Override
    public void start() {
        synchronized (informers) {
            started = true;
            informers.values().forEach(Informer::start);
        }
    }

    @Override
    public Mono<Void> synced() {
        return Mono.defer(() -> Flux.fromIterable(made()).flatMap(Informer::synced, Integer.MAX_VALUE).then());
    }

    @Override
    public void close() {
        synchronized (informers) {
            closed = true;
            informers.values().forEach(Informer::stop);
        }
    }

    private List<SharedInformer<?>> made() {
        synchronized (informers) {
            return List.copyOf(informers.values());
        }
    }
}
