package io.reactiveinformer.cloud;

import java.util.Map;
import org.springframework.cloud.client.DefaultServiceInstance;

/** An instance that was made of an EndpointSlice. Extends Spring's class, whose port a health check of the load balancer may replace. */
final class ClusterInstance extends DefaultServiceInstance {

    ClusterInstance(String instanceId, String serviceId, String host, int port, boolean secure, Map<String, String> metadata) {
        super(instanceId, serviceId, host, port, secure, metadata);
    }
}
