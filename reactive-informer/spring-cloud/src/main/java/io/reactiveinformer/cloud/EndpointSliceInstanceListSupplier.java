package io.reactiveinformer.cloud;

import java.util.List;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import reactor.core.publisher.Flux;

/**
 * Emits the instances of one service, then each different list as it changes. What is not a service of the watched namespaces is left to
 * {@code others}, the application's other discovery clients.
 */
final class EndpointSliceInstanceListSupplier implements ServiceInstanceListSupplier {

    private final ServiceCatalogue catalogue;
    private final ServiceInstanceListSupplier others;
    private final Flux<List<ServiceInstance>> lists;

    EndpointSliceInstanceListSupplier(ServiceCatalogue catalogue, ServiceInstanceListSupplier others) {
        this.catalogue = catalogue;
        this.others = others;
        this.lists = catalogue.ready().thenMany(Flux.defer(this::known));
    }

    private Flux<List<ServiceInstance>> known() {
        return catalogue.has(getServiceId()) ? catalogue.instanceLists(getServiceId()) : others.get();
    }

    @Override
    public String getServiceId() {
        return others.getServiceId();
    }

    @Override
    public Flux<List<ServiceInstance>> get() {
        return lists;
    }
}
