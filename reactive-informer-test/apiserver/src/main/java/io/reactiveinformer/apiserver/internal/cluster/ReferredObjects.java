package io.reactiveinformer.apiserver.internal.cluster;

import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the server fills in from other objects, and refuses where one of them is missing: classes of priority and runtime, zones of nodes. */
final class ReferredObjects {

    private static final Map<String, Integer> SYSTEM_PRIORITIES =
            Map.of("system-cluster-critical", 2_000_000_000, "system-node-critical", 2_000_001_000);
    private static final Set<String> ZONES = Set.of("topology.kubernetes.io/zone", "topology.kubernetes.io/region");

    private static final Set<String> PROTECTIONS = Set.of("kubernetes.io/pvc-protection", "kubernetes.io/pv-protection");

    private final Cluster cluster;

    ReferredObjects(Cluster cluster) {
        this.cluster = cluster;
    }

    /** @param mayMiss whether a class that is missing is passed over */
    void fillIn(ResourceDefinition type, ObjectNode tree, boolean mayMiss) {
        ObjectNode spec = tree.path("spec") instanceof ObjectNode sent ? sent : Json.object();
        switch (type.qualified()) {
            case "pods" -> {
                zones(tree);
                prioritize(type, tree, spec, mayMiss);
                String runtime = Json.text(spec, "runtimeClassName");
                if (!runtime.isEmpty() && !mayMiss && all("node.k8s.io", "runtimeclasses").noneMatch(each -> is(each, runtime))) {
                    throw refused(type, tree, "pod rejected: RuntimeClass \"" + runtime + "\" not found");
                }
            }
            case "persistentvolumeclaims" -> {
                protect(tree, "kubernetes.io/pvc-protection");
                ofDefault(spec, "storageClassName", "storage.k8s.io", "storageclasses", "storageclass.kubernetes.io/is-default-class");
            }
            case "persistentvolumes" -> {
                protect(tree, "kubernetes.io/pv-protection");
                Defaults.absent(Json.child(tree, "status"), "lastPhaseTransitionTime", cluster.timestamp());
            }
            case "ingresses.networking.k8s.io" -> ofDefault(spec, "ingressClassName", "networking.k8s.io", "ingressclasses",
                    "ingressclass.kubernetes.io/is-default-class");
            default -> { }
        }
    }

    private void prioritize(ResourceDefinition type, ObjectNode pod, ObjectNode spec, boolean mayMiss) {
        String name = Json.text(spec, "priorityClassName");
        JsonNode found = all("scheduling.k8s.io", "priorityclasses")
                .filter(each -> name.isEmpty() ? each.path("globalDefault").asBoolean(false) : is(each, name)).findFirst().orElse(null);
        if (found == null && !name.isEmpty() && !SYSTEM_PRIORITIES.containsKey(name) && !mayMiss) {
            throw refused(type, pod, "no PriorityClass with name " + name + " was found");
        }
        int priority = found == null ? SYSTEM_PRIORITIES.getOrDefault(name, 0) : found.path("value").asInt(0);
        if (!spec.hasNonNull("priority")) {
            spec.put("priority", priority);
        }
        if (found != null) {
            spec.put("priorityClassName", Json.text(found, "metadata", "name"));
            Defaults.absent(spec, "preemptionPolicy", Json.text(found, "preemptionPolicy"));
        }
    }

    /** Gives a pod the zone and the region of its node. */
    void zones(ObjectNode pod) {
        String node = Json.text(pod, "spec", "nodeName");
        StoredObject found = node.isEmpty() ? null : cluster.get(cluster.types().find("", "nodes").orElseThrow(), null, node);
        if (found != null) {
            found.storedTree().path("metadata").path("labels").propertyStream().filter(label -> ZONES.contains(label.getKey()))
                    .forEach(label -> Json.child(Json.child(pod, "metadata"), "labels").set(label.getKey(), label.getValue()));
        }
    }

    private static void protect(ObjectNode tree, String finalizer) {
        ObjectNode metadata = Json.child(tree, "metadata");
        unprotect(metadata);
        metadata.withArray("finalizers").add(finalizer);
    }

    /** Lets a claim or volume go that is being deleted, as the controller would if no pod used it. */
    static void unprotect(ObjectNode metadata) {
        if (metadata.get("finalizers") instanceof ArrayNode finalizers) {
            finalizers.removeIf(each -> PROTECTIONS.contains(each.asString("")));
        }
    }

    private void ofDefault(ObjectNode spec, String field, String group, String plural, String annotation) {
        if (!spec.hasNonNull(field)) {
            all(group, plural).filter(each -> Json.text(each, "metadata", "annotations", annotation).equals("true")).findFirst()
                    .ifPresent(each -> spec.put(field, Json.text(each, "metadata", "name")));
        }
    }

    private static boolean is(JsonNode object, String name) {
        return Json.text(object, "metadata", "name").equals(name);
    }

    private Stream<ObjectNode> all(String group, String plural) {
        return cluster.list(cluster.types().find(group, plural).orElseThrow(), Selection.all(), null).objects().stream()
                .map(StoredObject::storedTree);
    }

    private static ApiFailure refused(ResourceDefinition type, ObjectNode tree, String why) {
        return ApiFailure.forbidden(type, Json.text(tree, "metadata", "name"), why);
    }
}
