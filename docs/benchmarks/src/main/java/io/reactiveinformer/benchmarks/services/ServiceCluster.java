package io.reactiveinformer.benchmarks.services;

import io.kubernetes.client.openapi.models.V1EndpointSlice;
import io.kubernetes.client.openapi.models.V1Service;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** An API server with services, each with its EndpointSlice and, for libraries that read these, its Endpoints. */
final class ServiceCluster implements AutoCloseable {

    static final int ENDPOINTS = 10;

    private static final String NAMESPACE = "shop";
    @SuppressWarnings("deprecation") // what Spring Cloud Kubernetes reads
    private static final ResourceType<?> OF_ENDPOINTS = ResourceType.of(io.kubernetes.client.openapi.models.V1Endpoints.class);
    private static final ResourceType<?> OF_SLICES = ResourceType.of(V1EndpointSlice.class);
    private static final ResourceType<?> OF_SERVICES = ResourceType.of(V1Service.class);

    private final FakeApiServer server;
    private final int services;

    ServiceCluster(int services) {
        this.services = services;
        this.server = FakeApiServer.builder().history(20_000).build().start();
        server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: " + NAMESPACE + "}}");
        for (int service = 0; service < services; service++) {
            create(service);
        }
    }

    private void create(int service) {
        String labels = "app: a-" + service + ", team: t-" + service % 20 + ", version: '1', tier: web, part-of: shop";
        String metadata = "metadata: {namespace: " + NAMESPACE + ", name: service-" + service + ", labels: {" + labels;
        server.objects().create("{apiVersion: v1, kind: Service, " + metadata + "}}, spec: {selector: {app: a-" + service
                + "}, ports: [{name: http, port: 80, targetPort: 8080}, {name: metrics, port: 9090}]}}");
        String ports = "ports: [{name: http, port: 8080, protocol: TCP}, {name: metrics, port: 9090, protocol: TCP}]";
        server.objects().create("{apiVersion: v1, kind: Endpoints, " + metadata + "}}, subsets: [{" + ports + ", addresses: ["
                + each(endpoint -> "{ip: " + address(service, endpoint) + ", nodeName: node-" + endpoint + ", "
                        + target(service, endpoint) + "}")
                + "]}]}");
        server.objects().create("{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, " + metadata
                + ", kubernetes.io/service-name: service-" + service + "}}, addressType: IPv4, " + ports + ", endpoints: ["
                + each(endpoint -> "{addresses: [" + address(service, endpoint) + "], nodeName: node-" + endpoint + ", zone: a, "
                        + "conditions: {ready: true, serving: true, terminating: false}, " + target(service, endpoint) + "}")
                + "]}");
    }

    private static String each(IntFunction<String> endpoint) {
        return IntStream.range(0, ENDPOINTS).mapToObj(endpoint).collect(Collectors.joining(", "));
    }

    private static String target(int service, int endpoint) {
        return "targetRef: {kind: Pod, namespace: " + NAMESPACE + ", name: pod-" + service + "-" + endpoint
                + ", uid: uid-" + service + "-" + endpoint + "}";
    }

    static String address(int service, int endpoint) {
        return "10." + service / 250 + "." + service % 250 + "." + (endpoint + 1);
    }

    /** A new file with a kubeconfig of an administrator. */
    Path kubeconfig() throws IOException {
        return Files.writeString(Files.createTempFile("services", ".kubeconfig"), server.kubeconfig());
    }

    /** Makes an endpoint unready: in the Endpoints first, which this library does not read. Returns the time before. */
    long end(int service, int endpoint) {
        ObjectKey key = ObjectKey.of(NAMESPACE, "service-" + service);
        long begun = System.nanoTime();
        server.objects().edit(OF_ENDPOINTS, key, tree -> {
            ObjectNode subset = (ObjectNode) tree.at("/subsets/0");
            ArrayNode ready = (ArrayNode) subset.get("addresses");
            for (int i = 0; i < ready.size(); i++) {
                if (ready.get(i).get("ip").asString().equals(address(service, endpoint))) {
                    subset.withArray("notReadyAddresses").add(ready.remove(i));
                }
            }
            return tree;
        });
        server.objects().edit(OF_SLICES, key, tree -> {
            ((ObjectNode) tree.at("/endpoints/" + endpoint + "/conditions")).put("ready", false);
            return tree;
        });
        return begun;
    }

    void deleteAll() {
        for (int service = 0; service < services; service++) {
            ObjectKey key = ObjectKey.of(NAMESPACE, "service-" + service);
            List.of(OF_SLICES, OF_ENDPOINTS, OF_SERVICES).forEach(type -> server.objects().get(type, key)
                    .ifPresent(present -> server.objects().delete(type, key)));
        }
    }

    int requests() {
        return server.requests().all().size();
    }

    Map<String, Long> requestsByKind() {
        return server.requests().all().stream().collect(Collectors.groupingBy(
                request -> request.isResource() ? request.verb() + "-" + request.plural() : "other", TreeMap::new, Collectors.counting()));
    }

    @Override
    public void close() {
        server.close();
    }
}
