package io.reactiveinformer.cloud;

import io.reactiveinformer.cloud.ServiceSlice.Endpoint;
import io.reactiveinformer.cloud.ServiceSlice.Port;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.ServiceInstance;

/**
 * Which endpoints of a service are its instances, at which address and port. Pure functions of the slices.
 *
 * @param primaryPortName name of the port to use if a service has several; null for none in particular
 * @param servingTerminating whether endpoints that terminate and still serve are used while no endpoint is ready
 * @param preferred the addresses to use if a service has several types
 */
record InstanceRules(@Nullable String primaryPortName, boolean servingTerminating, AddressType preferred) {

    /** Labels of slices that are not copied from the service. */
    private static final Set<String> OF_THE_CLUSTER = Set.of(
            ServiceSlice.SERVICE_NAME, "endpointslice.kubernetes.io/managed-by", "service.kubernetes.io/headless");

    /** The label of a service that names its primary port, as in Spring Cloud Kubernetes. */
    private static final String PRIMARY_PORT_NAME = "primary-port-name";

    private static final int NO_PORT = -1;

    /**
     * The instances in {@code slices}, service by service in the order of their namespaces.
     *
     * @param serviceId under which the slices were found, and the service id of the instances
     */
    List<ServiceInstance> instances(String serviceId, List<ServiceSlice> slices) {
        Map<String, List<ServiceSlice>> services = new TreeMap<>();
        slices.forEach(slice -> services.computeIfAbsent(slice.namespace(), first -> new ArrayList<>(1)).add(slice));
        List<ServiceInstance> instances = new ArrayList<>();
        services.values().forEach(service -> instances.addAll(ofService(serviceId, service)));
        return Collections.unmodifiableList(instances);
    }

    private Collection<ServiceInstance> ofService(String serviceId, List<ServiceSlice> slices) {
        Collection<ServiceInstance> ready = ofService(serviceId, slices, Endpoint::ready);
        return ready.isEmpty() && servingTerminating ? ofService(serviceId, slices, Endpoint::servesWhileTerminating) : ready;
    }

    /** Those of one type of addresses: with two, each pod would be there twice. */
    private Collection<ServiceInstance> ofService(String serviceId, List<ServiceSlice> slices, Predicate<Endpoint> inRotation) {
        Set<AddressType> types = new LinkedHashSet<>(List.of(preferred));
        types.addAll(List.of(AddressType.values()));
        for (AddressType type : types) {
            // By address: while the cluster moves an endpoint from one slice to another, it may be in both.
            Map<String, ServiceInstance> instances = new LinkedHashMap<>();
            slices.stream().filter(slice -> slice.has(type)).forEach(slice -> add(serviceId, slice, inRotation, instances));
            if (!instances.isEmpty()) {
                return instances.values();
            }
        }
        return List.of();
    }

    private void add(String serviceId, ServiceSlice slice, Predicate<Endpoint> inRotation, Map<String, ServiceInstance> instances) {
        Port port = primary(slice);
        int number = port == null || port.port() == null ? NO_PORT : port.port();
        boolean secure = port != null && port.isSecure();
        Map<String, String> metadata = metadata(slice);
        Map<String, Map<String, String>> byZone = new HashMap<>();
        for (Endpoint endpoint : slice.endpoints()) {
            if (inRotation.test(endpoint) && !endpoint.addresses().isEmpty()) {
                String address = endpoint.addresses().get(0);
                String host = slice.has(AddressType.IPV6) ? "[" + address + "]" : address;
                String place = host + ":" + number;
                String uid = endpoint.targetRef() == null ? null : endpoint.targetRef().uid();
                String zone = endpoint.zone();
                instances.putIfAbsent(place, new ClusterInstance(uid == null ? place : uid, serviceId, host, number, secure,
                        zone == null ? metadata : byZone.computeIfAbsent(zone, name -> with(metadata, name))));
            }
        }
    }

    /** The only port; of several, the one with the name that the service's label, the property, or the custom of the web says. */
    private @Nullable Port primary(ServiceSlice slice) {
        List<Port> tcp = slice.ports().stream().filter(Port::isTcp).toList();
        List<Port> ports = tcp.isEmpty() ? slice.ports() : tcp;
        for (String name : new @Nullable String[] {slice.labels().get(PRIMARY_PORT_NAME), primaryPortName, "https", "http"}) {
            for (Port port : ports) {
                if (name != null && name.equals(port.name())) {
                    return port;
                }
            }
        }
        return ports.isEmpty() ? null : ports.get(0);
    }

    private static Map<String, String> metadata(ServiceSlice slice) {
        Map<String, String> metadata = new HashMap<>(slice.labels());
        metadata.keySet().removeAll(OF_THE_CLUSTER);
        for (Port port : slice.ports()) {
            if (port.name() != null && !port.name().isEmpty() && port.port() != null) {
                metadata.put("port." + port.name(), port.port().toString());
            }
        }
        metadata.put("k8s_namespace", slice.namespace());
        return Collections.unmodifiableMap(metadata);
    }

    private static Map<String, String> with(Map<String, String> metadata, String zone) {
        Map<String, String> more = new HashMap<>(metadata);
        more.put("zone", zone); // the key that Spring Cloud compares
        return Collections.unmodifiableMap(more);
    }
}
