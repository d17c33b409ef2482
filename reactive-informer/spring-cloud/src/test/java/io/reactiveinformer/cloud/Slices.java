package io.reactiveinformer.cloud;

import io.kubernetes.client.openapi.models.V1EndpointSlice;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** EndpointSlices of a fake server. */
final class Slices {

    private static final ResourceType<V1EndpointSlice> TYPE = ResourceType.of(V1EndpointSlice.class);

    private Slices() {}

    /** An EndpointSlice of {@code service} in which each pod is ready, in the zone {@code a}. */
    static String ready(String namespace, String service, String... addresses) {
        String endpoints = Stream.of(addresses).map(address -> "{addresses: [\"" + address + "\"], zone: a,"
                + " conditions: {ready: true, serving: true, terminating: false}, nodeName: node-1,"
                + " targetRef: {kind: Pod, name: pod-" + address + ", namespace: " + namespace + ", uid: uid-" + address + "}}")
                .collect(Collectors.joining(", "));
        return "{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: " + service + "-1, namespace: " + namespace
                + ", labels: {kubernetes.io/service-name: " + service + "}}, addressType: IPv4,"
                + " ports: [{name: http, port: 8080, protocol: TCP}], endpoints: [" + endpoints + "]}";
    }

    /** Says whether the endpoint at {@code index} is ready. */
    static void setReady(FakeApiServer server, String namespace, String service, int index, boolean ready) {
        server.objects().edit(TYPE, ObjectKey.of(namespace, service + "-1"), slice -> {
            ((ObjectNode) slice.at("/endpoints/" + index + "/conditions")).put("ready", ready);
            return slice;
        });
    }

    static void delete(FakeApiServer server, String namespace, String service) {
        server.objects().delete(TYPE, ObjectKey.of(namespace, service + "-1"));
    }
}
