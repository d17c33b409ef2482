package io.reactiveinformer.cloud;

import io.reactiveinformer.resource.FieldPath;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of an EndpointSlice that discovery reads; the rest is not decoded. The names are those of the API.
 *
 * @param labels of the slice: the cluster copies those of the service, and adds the name of the service
 * @see <a href="https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/">Kubernetes: EndpointSlices</a>
 */
record ServiceSlice(
        @FieldPath("metadata.namespace") String namespace,
        @FieldPath("metadata.labels") Map<String, String> labels,
        @Nullable String addressType,
        List<Endpoint> endpoints,
        List<Port> ports) {

    /** The label with the name of the service. Slices without it belong to none, and are not requested. */
    static final String SERVICE_NAME = "kubernetes.io/service-name";

    /** The ids under which Spring Cloud finds the service: its name, and its name with the namespace, as in the cluster's DNS. */
    List<String> serviceIds() {
        String service = labels.get(SERVICE_NAME);
        return service == null ? List.of() : List.of(service, service + "." + namespace);
    }

    boolean has(AddressType type) {
        return type.name().equalsIgnoreCase(addressType);
    }

    /**
     * One pod, or another address of the service.
     *
     * @param addresses all of them are the same endpoint, so that the first is enough
     */
    record Endpoint(
            List<String> addresses, @Nullable Conditions conditions, @Nullable TargetRef targetRef, @Nullable String zone) {

        /** Whether traffic may go to it; without a statement, it may. */
        boolean ready() {
            return conditions == null || conditions.ready() == null || conditions.ready();
        }

        /** Whether it is shutting down, and still answers. */
        boolean servesWhileTerminating() {
            return conditions != null && Boolean.TRUE.equals(conditions.terminating())
                    && (conditions.serving() == null ? ready() : conditions.serving());
        }
    }

    /** The state of an endpoint; null where the server makes no statement. */
    record Conditions(@Nullable Boolean ready, @Nullable Boolean serving, @Nullable Boolean terminating) {}

    /** The pod behind an endpoint. */
    record TargetRef(@Nullable String uid) {}

    /**
     * A port of all endpoints of the slice.
     *
     * @param port null if the endpoints accept any
     * @param protocol TCP if null
     */
    record Port(@Nullable String name, @Nullable Integer port, @Nullable String protocol, @Nullable String appProtocol) {

        boolean isTcp() {
            return protocol == null || protocol.equals("TCP");
        }

        boolean isSecure() {
            return "https".equalsIgnoreCase(name) || "https".equalsIgnoreCase(appProtocol);
        }
    }
}
