package io.reactiveinformer.cloud;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import reactor.core.publisher.Flux;

/**
 * Answers from the catalogue, without a request. An unknown service has no instances. Nor has one of the type {@code ExternalName}, for
 * which the cluster makes no EndpointSlices.
 */
final class EndpointSliceDiscoveryClient implements ReactiveDiscoveryClient {

    static final String DESCRIPTION = "EndpointSlices of Kubernetes, by informer";

    private final ServiceCatalogue catalogue;
    private final int order;

    /** @param order among the discovery clients of the application, the lowest first */
    EndpointSliceDiscoveryClient(ServiceCatalogue catalogue, int order) {
        this.catalogue = catalogue;
        this.order = order;
    }

    @Override
    public String description() {
        return DESCRIPTION;
    }

    @Override
    public Flux<ServiceInstance> getInstances(String serviceId) {
        return catalogue.instances(serviceId).flatMapIterable(instances -> instances);
    }

    @Override
    public Flux<String> getServices() {
        return catalogue.services().flatMapIterable(names -> names);
    }

    @Override
    public int getOrder() {
        return order;
    }
}
