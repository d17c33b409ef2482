package io.reactiveinformer.cloud;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;

/**
 * Properties of discovery, load balancing and imported configuration. A name that does not exist fails the start. The sentences of the
 * parameters are what editors show.
 *
 * @param enabled Whether to discover services by an informer of EndpointSlices.
 * @param namespaces Namespaces whose services are found. By default, those of reactive-informer.namespaces, else the application's own.
 * @param allNamespaces Whether to find the services of all namespaces.
 * @param primaryPortName Name of the port to use of a service that has several. A label 'primary-port-name' of the service comes first.
 * @param servingTerminating Whether to use pods that terminate and still serve while a service has no ready one, as kube-proxy does.
 * @param addressType Addresses to use of a service that has several types.
 * @param firstListTimeout Longest time that a call waits for the first complete list of EndpointSlices, and the start in total for
 *     those of all imported ConfigMaps and Secrets, before it fails with the reason.
 * @param refreshDelay Time from a change of an imported ConfigMap or Secret to the refresh; further changes within it cause no other one.
 * @param order Order of the discovery client among others, the lowest first.
 */
@ConfigurationProperties(prefix = CloudProperties.PREFIX, ignoreUnknownFields = false)
record CloudProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue List<String> namespaces,
        @DefaultValue("false") boolean allNamespaces,
        @Nullable String primaryPortName,
        @DefaultValue("false") boolean servingTerminating,
        @DefaultValue("ipv4") AddressType addressType,
        @DefaultValue("30s") Duration firstListTimeout,
        @DefaultValue("500ms") Duration refreshDelay,
        @DefaultValue("" + ReactiveDiscoveryClient.DEFAULT_ORDER) int order) {

    static final String PREFIX = "reactive-informer.cloud";

    /** For what is read before there are beans. */
    static final Duration FIRST_LIST_TIMEOUT = Duration.ofSeconds(30);

    InstanceRules rules() {
        return new InstanceRules(primaryPortName, servingTerminating, addressType);
    }
}
