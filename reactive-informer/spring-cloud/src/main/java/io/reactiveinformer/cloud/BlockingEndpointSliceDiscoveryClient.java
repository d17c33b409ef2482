package io.reactiveinformer.cloud;

import java.util.List;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;

/**
 * As {@link EndpointSliceDiscoveryClient}, for libraries that look for a blocking client. A call blocks only until the catalogue is
 * complete, and until then fails on a thread that must not be blocked.
 */
final class BlockingEndpointSliceDiscoveryClient implements DiscoveryClient {

    private final ServiceCatalogue catalogue;
    private final int order;

    /** @param order among the discovery clients of the application, the lowest first */
    BlockingEndpointSliceDiscoveryClient(ServiceCatalogue catalogue, int order) {
        this.catalogue = catalogue;
        this.order = order;
    }

    @Override
    public String description() {
        return EndpointSliceDiscoveryClient.DESCRIPTION;
    }

    @Override
    public List<ServiceInstance> getInstances(String serviceId) {
        catalogue.awaitReady();
        return catalogue.currentInstances(serviceId);
    }

    @Override
    public List<String> getServices() {
        catalogue.awaitReady();
        return List.copyOf(catalogue.names());
    }

    @Override
    public int getOrder() {
        return order;
    }
}
