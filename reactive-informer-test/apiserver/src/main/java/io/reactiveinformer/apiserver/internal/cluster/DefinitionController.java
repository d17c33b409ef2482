package io.reactiveinformer.apiserver.internal.cluster;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Deletes the objects of definitions that are being deleted. A definition whose objects have finalizers stays until these are gone; any
 * other goes with its objects at once.
 *
 * @see <a
 *     href="https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/">
 *     Delete a CustomResourceDefinition</a>
 */
final class DefinitionController {

    private static final String FINALIZER = "customresourcecleanup.apiextensions.k8s.io";
    private static final String MANAGER = "kube-apiserver";

    private final Cluster cluster;
    private final Writes writes;

    DefinitionController(Cluster cluster, Writes writes) {
        this.cluster = cluster;
        this.writes = writes;
    }

    /** Whether the definition waits for the deletion of its objects. */
    static boolean isWaiting(StoredObject definition) {
        return definition.awaited().contains(FINALIZER);
    }

    /** Before a definition is deleted: makes it wait if one of its objects would. Within a write. */
    static void prepare(Cluster cluster, ObjectNode definition) {
        boolean isHeld = objects(cluster, definition).stream()
                .anyMatch(object -> !object.storedTree().path("metadata").path("finalizers").isEmpty());
        if (!isHeld) {
            return;
        }
        Json.child(definition, "metadata").withArray("finalizers").add(FINALIZER);
        new Conditions(definition, cluster.timestamp())
                .with("Terminating", true, "InstanceDeletionInProgress", "CustomResource deletion is in progress");
    }

    /** The definition that may have waited for a removed object; null if it is not being deleted. Within a write. */
    @Nullable StoredObject waitingFor(StoredObject last) {
        return last.type().isCustom() ? waiting(cluster, last.type()) : null;
    }

    /** The definition of a custom type, if it waits for its objects. */
    static @Nullable StoredObject waiting(Cluster cluster, ResourceDefinition custom) {
        Optional<ResourceDefinition> definitions = cluster.types().find("apiextensions.k8s.io", "customresourcedefinitions");
        StoredObject definition = definitions.map(type -> cluster.get(type, null, custom.qualified())).orElse(null);
        return definition != null && isWaiting(definition) ? definition : null;
    }

    void empty(StoredObject definition, Controllers.Steps steps) {
        for (StoredObject object : objects(cluster, definition.tree())) {
            steps.take(() -> writes.deleteNow(object));
        }
        steps.take(() -> {
            StoredObject current = cluster.current(definition);
            if (current != null && objects(cluster, current.tree()).isEmpty()) {
                writes.update(Writes.Target.of(definition.type(), null, definition.name()),
                        tree -> GarbageCollector.without(tree, "finalizers", "", FINALIZER), WriteOptions.by(MANAGER));
            }
        });
    }

    private static List<StoredObject> objects(Cluster cluster, ObjectNode definition) {
        return cluster.types()
                .find(Json.text(definition, "spec", "group"), Json.text(definition, "spec", "names", "plural"))
                .map(type -> cluster.list(type, Selection.all(), null).objects())
                .orElse(List.of());
    }
}
