package io.reactiveinformer.test.simulation;

import io.reactiveinformer.apiserver.ClusterObjects;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Rolls deployments: keeps a ReplicaSet for each template, grows the new one and shrinks the old ones by one pod at a time. */
final class Deployments {

    private static final String REVISION = "deployment.kubernetes.io/revision";
    private static final String HASH = "pod-template-hash";
    private static final int OLD_ONES_KEPT = 2;

    private Deployments() {}

    static void step(ClusterObjects cluster) {
        List<ObjectNode> sets = cluster.list(Types.REPLICA_SETS);
        for (ObjectNode deployment : cluster.list(Types.DEPLOYMENTS)) {
            if (!Types.isLeaving(deployment)) {
                step(cluster, deployment, sets.stream().filter(set -> Types.isOwnedBy(deployment, set)).toList());
            }
        }
    }

    private static void step(ClusterObjects cluster, ObjectNode deployment, List<ObjectNode> own) {
        int wanted = Types.replicas(deployment);
        String hash = Integer.toHexString(essence(deployment.path("spec").path("template")).hashCode());
        ObjectNode current = own.stream().filter(set -> hash.equals(hash(set))).findFirst().orElse(null);
        List<ObjectNode> old = own.stream().filter(set -> !hash.equals(hash(set))).toList();
        long latest = own.stream().mapToLong(Deployments::revision).max().orElse(0);
        if (current == null) {
            cluster.create(withRevision(replicaSet(deployment, hash, old.isEmpty() ? wanted : 1), latest + 1));
            return;
        }
        if (revision(current) < latest) { // rolled back
            current = cluster.edit(Types.REPLICA_SETS, Types.key(current), changed -> withRevision(changed, latest + 1));
        }
        int oldWanted = old.stream().mapToInt(Types::replicas).sum();
        int now = Types.replicas(current);
        if (oldWanted == 0) {
            scale(cluster, current, wanted);
            old.stream().limit(Math.max(0, old.size() - OLD_ONES_KEPT)).forEach(set -> cluster.delete(Types.REPLICA_SETS, Types.key(set)));
        } else if (now + oldWanted <= wanted && now < wanted) {
            scale(cluster, current, now + 1);
        } else if (ready(current) == now) {
            old.stream().filter(set -> Types.replicas(set) > 0).findFirst().ifPresent(set -> scale(cluster, set, Types.replicas(set) - 1));
        }
        status(cluster, deployment, own, current, wanted);
    }

    /**
     * The template without nulls, empty values and the labels of controllers: kubectl, when it rolls back, sends
     * {@code creationTimestamp: null}.
     */
    private static JsonNode essence(JsonNode template) {
        if (template.isObject()) {
            ObjectNode fields = JsonNodeFactory.instance.objectNode();
            template.properties().forEach(field -> {
                JsonNode value = essence(field.getValue());
                if (!value.isNull() && !(value.isContainer() && value.isEmpty()) && !field.getKey().equals(HASH)) {
                    fields.set(field.getKey(), value);
                }
            });
            return fields;
        }
        ArrayNode elements = JsonNodeFactory.instance.arrayNode();
        template.forEach(element -> elements.add(essence(element)));
        return template.isArray() ? elements : template;
    }

    private static String hash(JsonNode set) {
        return set.path("metadata").path("labels").path(HASH).asString("");
    }

    /** The revision that {@code kubectl rollout history} and {@code undo} use. */
    private static long revision(JsonNode object) {
        return Long.parseLong(object.path("metadata").path("annotations").path(REVISION).asString("0"));
    }

    private static ObjectNode withRevision(ObjectNode object, long revision) {
        object.withObject("/metadata/annotations").put(REVISION, Long.toString(revision));
        return object;
    }

    private static int ready(JsonNode set) {
        return set.path("status").path("readyReplicas").asInt(0);
    }

    private static void scale(ClusterObjects cluster, ObjectNode set, int replicas) {
        if (Types.replicas(set) != replicas) {
            Types.edit(cluster, Types.REPLICA_SETS, set, changed -> {
                ((ObjectNode) changed.path("spec")).put("replicas", replicas);
                return changed;
            });
        }
    }

    private static void status(ClusterObjects cluster, ObjectNode deployment, List<ObjectNode> own, ObjectNode current, int wanted) {
        int all = own.stream().mapToInt(set -> set.path("status").path("replicas").asInt(0)).sum();
        int ready = own.stream().mapToInt(Deployments::ready).sum();
        long revision = revision(current);
        int updated = current.path("status").path("replicas").asInt(0);
        Types.edit(cluster, Types.DEPLOYMENTS, deployment, changed -> {
            ObjectNode status = withRevision(changed, revision).withObject("/status");
            status.put("replicas", all).put("updatedReplicas", updated).put("readyReplicas", ready).put("availableReplicas", ready);
            status.put("unavailableReplicas", Math.max(0, wanted - ready));
            status.set("observedGeneration", deployment.path("metadata").path("generation"));
            var conditions = status.putArray("conditions");
            conditions.addObject().put("type", "Available").put("status", ready >= wanted ? "True" : "False");
            conditions.addObject()
                    .put("type", "Progressing")
                    .put("status", "True")
                    .put("reason", updated == wanted && ready >= wanted ? "NewReplicaSetAvailable" : "ReplicaSetUpdated");
            return changed;
        });
    }

    private static ObjectNode replicaSet(ObjectNode deployment, String hash, int replicas) {
        ObjectNode set = JsonNodeFactory.instance.objectNode().put("apiVersion", "apps/v1").put("kind", "ReplicaSet");
        JsonNode spec = deployment.path("spec");
        ObjectNode metadata = set.putObject("metadata")
                .put("name", Types.key(deployment).name() + "-" + hash)
                .put("namespace", Objects.requireNonNull(Types.key(deployment).namespace()));
        ObjectNode labels = spec.path("template").withObject("/metadata/labels").deepCopy();
        metadata.set("labels", labels.put(HASH, hash));
        Types.addOwner(metadata, deployment);
        ObjectNode template = (ObjectNode) spec.path("template").deepCopy();
        template.withObject("/metadata/labels").put(HASH, hash);
        ObjectNode setSpec = set.putObject("spec").put("replicas", replicas);
        ObjectNode selector = (ObjectNode) spec.path("selector").deepCopy();
        selector.withObject("/matchLabels").put(HASH, hash);
        setSpec.set("selector", selector);
        setSpec.set("template", template);
        return set;
    }
}
