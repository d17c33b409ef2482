package io.reactiveinformer.informer;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Selector;
import reactor.core.publisher.Mono;

/** Makes informers, one for each (type, scope, selector): who asks for the same gets the same, and a new one once that is over. */
public interface InformerFactory extends AutoCloseable {

    static InformerFactory create(KubernetesClient client) {
        return create(client, ReflectorOptions.defaults());
    }

    /** @param options for all of its informers; what they say of known objects is each informer's own business */
    static InformerFactory create(KubernetesClient client, ReflectorOptions<?> options) {
        return new SharingInformerFactory(client, options);
    }

    default <T> Informer<T> of(ResourceType<T> type) {
        return of(type, Scope.all(), Selector.any());
    }

    default <T> Informer<T> of(ResourceType<T> type, Scope scope) {
        return of(type, scope, Selector.any());
    }

    /**
     * Not started yet when it is new, unless the factory is. One that was {@linkplain Informer#resize resized} is still had by the scope that it
     * was made for.
     */
    <T> Informer<T> of(ResourceType<T> type, Scope scope, Selector selector);

    /** Starts all informers made so far, and each made later. Returns at once. */
    void start();

    /** Completes when every informer made so far is synced; one that waits in vain is told which are not, and why. */
    Mono<Void> synced();

    /** Stops all informers. The client stays open. */
    @Override
    void close();
}
