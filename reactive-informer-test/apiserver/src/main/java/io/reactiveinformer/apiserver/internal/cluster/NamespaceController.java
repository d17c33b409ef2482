package io.reactiveinformer.apiserver.internal.cluster;

import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Deletes the objects of namespaces that are being deleted. A namespace whose objects have finalizers stays until these are gone, and lists
 * in its conditions what is left. Its state is guarded by the cluster's lock.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/">Namespaces</a>
 */
final class NamespaceController {

    private static final String MANAGER = "kube-controller-manager";

    private final Cluster cluster;
    private final Writes writes;

    /** By name, the namespaces that are being deleted. */
    private final Map<String, StoredObject> terminating = new HashMap<>();

    /** Uids of the namespaces for which {@link #empty} is about to be called. */
    private final Set<String> due = new HashSet<>();

    NamespaceController(Cluster cluster, Writes writes) {
        this.cluster = cluster;
        this.writes = writes;
    }

    /** True if {@link #empty} is to be called later. Within a write. */
    boolean stored(StoredObject namespace) {
        if (!namespace.tree().path("metadata").has("deletionTimestamp")) {
            return false;
        }
        terminating.put(namespace.name(), namespace);
        return due.add(namespace.uid());
    }

    /** The namespace that may have waited for a removed object, if {@link #empty} is to be called for it later. Within a write. */
    @Nullable StoredObject waitingFor(StoredObject last) {
        StoredObject namespace = last.namespace() == null ? null : terminating.get(last.namespace());
        return namespace != null && due.add(namespace.uid()) ? namespace : null;
    }

    /** Within a write. */
    void removed(StoredObject namespace) {
        terminating.remove(namespace.name());
    }

    /** Forgets all state: the store has been replaced. Within a write. */
    void forget() {
        terminating.clear();
        due.clear();
    }

    void empty(StoredObject namespace, Controllers.Steps steps) {
        steps.take(() -> due.remove(namespace.uid()));
        for (StoredObject object : objectsIn(namespace)) {
            steps.take(() -> {
                if (isThere(namespace)) {
                    writes.deleteNow(object);
                }
            });
        }
        steps.take(() -> {
            if (isThere(namespace)) {
                finish(namespace);
            }
        });
    }

    /** Whether this same namespace still exists, not a later one of its name. */
    private boolean isThere(StoredObject namespace) {
        StoredObject current = cluster.get(namespace.type(), null, namespace.name());
        return current != null && current.uid().equals(namespace.uid());
    }

    private void finish(StoredObject namespace) {
        List<StoredObject> left = objectsIn(namespace);
        writes.update(new Writes.Target(namespace.type(), null, namespace.name(), "status"), tree -> withConditions(tree, left),
                WriteOptions.by(MANAGER));
        if (left.isEmpty()) {
            writes.finish(namespace);
        }
    }

    private List<StoredObject> objectsIn(StoredObject namespace) {
        List<StoredObject> objects = new ArrayList<>();
        for (ResourceDefinition type : List.copyOf(cluster.types().stored())) {
            if (type.namespaced() && type.verbs().contains("deletecollection")) {
                objects.addAll(cluster.list(type, Selection.namespace(namespace.name()), null).objects());
            }
        }
        return objects;
    }

    private ObjectNode withConditions(ObjectNode namespace, List<StoredObject> left) {
        ObjectNode status = Json.child(namespace, "status");
        JsonNode before = status.path("conditions");
        ArrayNode conditions = Json.array();
        add(conditions, before, "NamespaceDeletionDiscoveryFailure", false, "ResourcesDiscovered", "All resources successfully discovered");
        add(conditions, before, "NamespaceDeletionGroupVersionParsingFailure", false, "ParsedGroupVersions",
                "All legacy kube types successfully parsed");
        add(conditions, before, "NamespaceDeletionContentFailure", false, "ContentDeleted",
                "All content successfully deleted, may be waiting on finalization");
        if (left.isEmpty()) {
            add(conditions, before, "NamespaceContentRemaining", false, "ContentRemoved", "All content successfully removed");
        } else {
            add(conditions, before, "NamespaceContentRemaining", true, "SomeResourcesRemain", "Some resources are remaining: " + counted(
                    left.stream().map(object -> object.type().plural() + "." + object.type().group()).toList(), " has "));
        }
        List<String> finalizers = left.stream().flatMap(object -> object.awaited().stream()).toList();
        if (finalizers.isEmpty()) {
            add(conditions, before, "NamespaceFinalizersRemaining", false, "ContentHasNoFinalizers",
                    "All content-preserving finalizers finished");
        } else {
            add(conditions, before, "NamespaceFinalizersRemaining", true, "SomeFinalizersRemain",
                    "Some content in the namespace has finalizers remaining: " + counted(finalizers, " in "));
        }
        status.set("conditions", conditions);
        return namespace;
    }

    private static String counted(List<String> names, String between) {
        Map<String, Long> counts = names.stream().collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .map(count -> count.getKey() + between + count.getValue() + " resource instances")
                .collect(Collectors.joining(", "));
    }

    /** Adds a condition. Its time is that of its last change from true to false or back. */
    private void add(ArrayNode conditions, JsonNode before, String type, boolean holds, String reason, String message) {
        String status = holds ? "True" : "False";
        String since = cluster.now().truncatedTo(ChronoUnit.SECONDS).toString();
        for (JsonNode former : before) {
            if (Json.text(former, "type").equals(type) && Json.text(former, "status").equals(status)) {
                since = Json.text(former, "lastTransitionTime");
            }
        }
        conditions.addObject()
                .put("type", type)
                .put("status", status)
                .put("lastTransitionTime", since)
                .put("reason", reason)
                .put("message", message);
    }
}
