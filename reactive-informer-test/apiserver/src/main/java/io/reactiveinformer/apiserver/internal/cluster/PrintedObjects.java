package io.reactiveinformer.apiserver.internal.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * Stores objects as another server has printed them: with their uids, versions, generations, times, managers, status and owners. They come
 * in place of those of the same names. Later versions are higher than all of theirs.
 *
 * <p>What was under way goes on: cascading deletions, namespaces and definitions that are being deleted. A pod that is being deleted stays
 * until it is deleted again, since the time of its end is over mostly. An owner that was not printed is taken to exist elsewhere.
 */
public final class PrintedObjects {

    private PrintedObjects() {}

    /** Whether a server has printed this object: only those have a resourceVersion. */
    public static boolean isPrinted(ObjectNode tree) {
        return !Json.text(tree, "metadata", "resourceVersion").isEmpty();
    }

    /** Whether this defines a custom type, so that it comes before others. */
    public static boolean isDefinition(ObjectNode tree) {
        return Json.text(tree, "kind").equals("CustomResourceDefinition");
    }

    /**
     * Checks that the server has the types of all objects of a text, after its definitions were loaded.
     *
     * @throws IllegalArgumentException names the first object that it has no type of, by its place among the objects
     */
    public static void requireTypes(Cluster cluster, List<ObjectNode> trees) {
        for (ObjectNode tree : trees) {
            try {
                cluster.types().of(tree);
            } catch (IllegalArgumentException unknown) {
                throw new IllegalArgumentException("object " + (trees.indexOf(tree) + 1) + " of " + trees.size() + ", "
                        + Json.text(tree, "metadata", "name") + ": " + unknown.getMessage() + "; add that to the text, or leave the object out",
                        unknown);
            }
        }
    }

    /**
     * Stores these objects. Readers of their types end, and the history of these is forgotten.
     *
     * @throws IllegalArgumentException if the server has no such type, or if an object has no name or a version that is no number
     */
    public static void load(Cluster cluster, List<ObjectNode> trees) {
        Map<ResourceDefinition, List<StoredObject>> byType = new LinkedHashMap<>();
        for (ObjectNode tree : trees) {
            ResourceDefinition type = cluster.types().of(tree);
            byType.computeIfAbsent(cluster.types().storing(type), key -> new ArrayList<>()).add(object(cluster, type, tree));
        }
        cluster.load(byType);
    }

    private static StoredObject object(Cluster cluster, ResourceDefinition type, ObjectNode printed) {
        ObjectNode tree = printed.deepCopy();
        ObjectNode metadata = Json.child(tree, "metadata");
        if (Json.text(metadata, "name").isEmpty() || !Json.text(metadata, "resourceVersion").matches("\\d{1,18}")) {
            throw new IllegalArgumentException("one of " + type + " has no name, or a resourceVersion that is no number: " + metadata
                    + "; to create it as a new object, remove its resourceVersion");
        }
        if (Json.text(metadata, "uid").isEmpty()) {
            metadata.put("uid", cluster.newUid());
        }
        if (Json.text(metadata, "creationTimestamp").isEmpty()) {
            metadata.put("creationTimestamp", cluster.timestamp());
        }
        if (type.namespaced() && Json.text(metadata, "namespace").isEmpty()) {
            metadata.put("namespace", "default");
        }
        return ObjectForm.stored(cluster.types().storing(type), ObjectForm.toStorage(type, tree));
    }
}
