package io.reactiveinformer.cloud;

import java.util.List;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import reactor.core.publisher.Flux;

/**
 * Emits the instances of one service, then each different list as it changes. While there is no such service in the watched namespaces,
 * emits the instances of {@code others}, the application's other discovery clients.
 */
final class EndpointSliceInstanceListSupplier implements ServiceInstanceListSupplier {

    private final String serviceId;
    private final Flux<List<ServiceInstance>> lists;

    EndpointSliceInstanceListSupplier(ServiceCatalogue catalogue, String serviceId, Flux<List<ServiceInstance>> others) {
        this.serviceId = serviceId;
        this.lists = catalogue.instanceLists(serviceId, others);
    }

    @Override
    public String getServiceId() {
        return serviceId;
    }

    @Override
    public Flux<List<ServiceInstance>> get() {
        return lists;
    }
}
