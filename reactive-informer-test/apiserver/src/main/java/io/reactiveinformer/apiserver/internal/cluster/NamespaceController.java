package io.reactiveinformer.apiserver.internal.cluster;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
                if (cluster.current(namespace) != null) {
                    writes.deleteNow(object);
                }
            });
        }
        steps.take(() -> {
            if (cluster.current(namespace) != null) {
                finish(namespace);
            }
        });
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
        return cluster.types().stored().stream().filter(type -> type.namespaced() && type.verbs().contains("deletecollection"))
                .flatMap(type -> cluster.list(type, Selection.namespace(namespace.name()), null).objects().stream()).toList();
    }

    private ObjectNode withConditions(ObjectNode namespace, List<StoredObject> left) {
        String types = counted(left.stream().map(object -> object.type().plural() + "." + object.type().group()), " has ");
        String finalizers = counted(left.stream().flatMap(object -> object.awaited().stream()), " in ");
        return new Conditions(namespace, cluster.timestamp())
                .with("NamespaceDeletionDiscoveryFailure", false, "ResourcesDiscovered", "All resources successfully discovered")
                .with("NamespaceDeletionGroupVersionParsingFailure", false, "ParsedGroupVersions",
                        "All legacy kube types successfully parsed")
                .with("NamespaceDeletionContentFailure", false, "ContentDeleted",
                        "All content successfully deleted, may be waiting on finalization")
                .with("NamespaceContentRemaining", !types.isEmpty(), types.isEmpty() ? "ContentRemoved" : "SomeResourcesRemain",
                        types.isEmpty() ? "All content successfully removed" : "Some resources are remaining: " + types)
                .with("NamespaceFinalizersRemaining", !finalizers.isEmpty(),
                        finalizers.isEmpty() ? "ContentHasNoFinalizers" : "SomeFinalizersRemain",
                        finalizers.isEmpty() ? "All content-preserving finalizers finished"
                                : "Some content in the namespace has finalizers remaining: " + finalizers)
                .object();
    }

    private static String counted(Stream<String> names, String between) {
        return names.collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting())).entrySet().stream()
                .map(count -> count.getKey() + between + count.getValue() + " resource instances").collect(Collectors.joining(", "));
    }

}
