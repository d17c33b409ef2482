package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** The fields that Go writes for an empty structure: those without {@code omitempty}, besides metadata. Bookmarks contain them. */
final class ZeroValues {

    private static final String TEMPLATE = "\"template\":{\"metadata\":{},\"spec\":{\"containers\":null}}";
    private static final Map<String, String> FIELDS = new HashMap<>();

    static {
        FIELDS.put("pods", "{\"spec\":{\"containers\":null},\"status\":{}}");
        FIELDS.put("podtemplates", "{" + TEMPLATE + "}");
        FIELDS.put("nodes",
                "{\"spec\":{},\"status\":{\"daemonEndpoints\":{\"kubeletEndpoint\":{\"Port\":0}},\"nodeInfo\":{\"machineID\":\"\","
                + "\"systemUUID\":\"\",\"bootID\":\"\",\"kernelVersion\":\"\",\"osImage\":\"\",\"containerRuntimeVersion\":\"\","
                + "\"kubeletVersion\":\"\",\"kubeProxyVersion\":\"\",\"operatingSystem\":\"\",\"architecture\":\"\"}}}");
        FIELDS.put("services", "{\"spec\":{},\"status\":{\"loadBalancer\":{}}}");
        FIELDS.put("persistentvolumeclaims", "{\"spec\":{\"resources\":{}},\"status\":{}}");
        FIELDS.put("replicationcontrollers", "{\"spec\":{},\"status\":{\"replicas\":0}}");
        FIELDS.put("resourcequotas", "{\"spec\":{},\"status\":{}}");
        FIELDS.put("persistentvolumes", "{\"spec\":{},\"status\":{}}");
        FIELDS.put("namespaces", "{\"spec\":{},\"status\":{}}");
        FIELDS.put("events", "{\"involvedObject\":{},\"source\":{},\"firstTimestamp\":null,\"lastTimestamp\":null,\"eventTime\":null,"
                + "\"reportingComponent\":\"\",\"reportingInstance\":\"\"}");
        FIELDS.put("events.events.k8s.io", "{\"eventTime\":null,\"regarding\":{},\"deprecatedSource\":{},\"deprecatedFirstTimestamp\":null,"
                + "\"deprecatedLastTimestamp\":null}");
        FIELDS.put("deployments.apps", "{\"spec\":{\"selector\":null," + TEMPLATE + ",\"strategy\":{}},\"status\":{}}");
        FIELDS.put("replicasets.apps", "{\"spec\":{\"selector\":null," + TEMPLATE + "},\"status\":{\"replicas\":0}}");
        FIELDS.put("daemonsets.apps", "{\"spec\":{\"selector\":null," + TEMPLATE + ",\"updateStrategy\":{}},\"status\":{"
                + "\"currentNumberScheduled\":0,\"numberMisscheduled\":0,\"desiredNumberScheduled\":0,\"numberReady\":0}}");
        FIELDS.put("statefulsets.apps", "{\"spec\":{\"selector\":null," + TEMPLATE
                + ",\"serviceName\":\"\",\"updateStrategy\":{}},\"status\":{\"replicas\":0,\"availableReplicas\":0}}");
        FIELDS.put("controllerrevisions.apps", "{\"revision\":0}");
        FIELDS.put("jobs.batch", "{\"spec\":{" + TEMPLATE + "},\"status\":{}}");
        FIELDS.put("cronjobs.batch", "{\"spec\":{\"schedule\":\"\",\"jobTemplate\":{\"spec\":{" + TEMPLATE + "}}},\"status\":{}}");
        FIELDS.put("leases.coordination.k8s.io", "{\"spec\":{}}");
        FIELDS.put("endpointslices.discovery.k8s.io", "{\"addressType\":\"\",\"endpoints\":null,\"ports\":null}");
        FIELDS.put("ingresses.networking.k8s.io", "{\"spec\":{},\"status\":{\"loadBalancer\":{}}}");
        FIELDS.put("networkpolicies.networking.k8s.io", "{\"spec\":{\"podSelector\":{}}}");
        FIELDS.put("roles.rbac.authorization.k8s.io", "{\"rules\":null}");
        FIELDS.put("clusterroles.rbac.authorization.k8s.io", "{\"rules\":null}");
        FIELDS.put("rolebindings.rbac.authorization.k8s.io", "{\"roleRef\":{\"apiGroup\":\"\",\"kind\":\"\",\"name\":\"\"}}");
        FIELDS.put("clusterrolebindings.rbac.authorization.k8s.io", "{\"roleRef\":{\"apiGroup\":\"\",\"kind\":\"\",\"name\":\"\"}}");
        FIELDS.put("storageclasses.storage.k8s.io", "{\"provisioner\":\"\"}");
        FIELDS.put("priorityclasses.scheduling.k8s.io", "{\"value\":0}");
        FIELDS.put("poddisruptionbudgets.policy", "{\"spec\":{},\"status\":{\"disruptionsAllowed\":0,\"currentHealthy\":0,"
                + "\"desiredHealthy\":0,\"expectedPods\":0}}");
        FIELDS.put("horizontalpodautoscalers.autoscaling", "{\"spec\":{\"scaleTargetRef\":{\"kind\":\"\",\"name\":\"\"},\"maxReplicas\":0},"
                + "\"status\":{\"desiredReplicas\":0,\"currentMetrics\":null}}");
        FIELDS.put("customresourcedefinitions.apiextensions.k8s.io", "{\"spec\":{\"group\":\"\",\"names\":{\"plural\":\"\",\"kind\":\"\"},"
                + "\"scope\":\"\",\"versions\":null},\"status\":{\"conditions\":null,\"acceptedNames\":{\"plural\":\"\",\"kind\":\"\"},"
                + "\"storedVersions\":null}}");
    }

    private ZeroValues() {}

    static ObjectNode of(ResourceDefinition type) {
        return (ObjectNode) Json.read(FIELDS.getOrDefault(type.qualified(), "{}"));
    }
}
