package io.reactiveinformer.apiserver;

import io.reactiveinformer.apiserver.internal.Engine;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.DeleteOptions;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ModelObjects;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.Selection;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import io.reactiveinformer.apiserver.internal.cluster.WriteOptions;
import io.reactiveinformer.apiserver.internal.cluster.Writes;
import io.reactiveinformer.apiserver.internal.cluster.YamlText;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The objects of the cluster, past the API. The test's own hand is trusted: what it says of a status counts, and a namespace that is missing is
 * made. Everything else is as a client's request would be: versions, events, finalizers, defaults; and what the server would refuse fails with the
 * server's message.
 *
 * <p>An object is a tree ({@link JsonNode}), a model class of {@code client-java-api}, or YAML or JSON text of one or more documents.
 */
public final class ClusterObjects {

    private final Cluster cluster;
    private final Writes writes;

    private ClusterObjects(Cluster cluster, Writes writes) {
        this.cluster = cluster;
        this.writes = writes;
    }

    /** For the facades of the server: tests ask theirs for it. */
    public static ClusterObjects of(Engine engine) {
        return new ClusterObjects(engine.cluster(), engine.writes());
    }

    /** Creates it, or each document of a text, and returns the (last) object as it is stored. */
    public ObjectNode create(Object object) {
        return last(object, tree -> {
            ResourceDefinition type = type(tree);
            return writes.create(type, namespace(type, tree), tree, WriteOptions.TRUSTED.in(version(tree))).object();
        });
    }

    /** Replaces it, or each document of a text. A resourceVersion in it is a precondition. */
    public ObjectNode update(Object object) {
        return last(object, tree -> {
            ResourceDefinition type = type(tree);
            return writes.update(type, namespace(type, tree), name(tree), "", old -> tree.deepCopy(), WriteOptions.TRUSTED.in(version(tree))).object();
        });
    }

    /** Changes the object as it is now. */
    public ObjectNode edit(ResourceType<?> type, ObjectKey key, UnaryOperator<ObjectNode> change) {
        ResourceDefinition definition = definition(type);
        WriteOptions options = WriteOptions.TRUSTED.in(definition.versions().contains(type.version()) ? type.version() : "");
        return writes.update(definition, key.namespace(), key.name(), "", change, options).object().tree(definition, type.version());
    }

    /** Deletes it; at once, unless finalizers or a grace period hold it. */
    public void delete(ResourceType<?> type, ObjectKey key) {
        writes.delete(definition(type), key.namespace(), key.name(), DeleteOptions.DEFAULT);
    }

    /** Deletes it by force: a pod's grace period is over. Finalizers hold it all the same. */
    public void deleteNow(ResourceType<?> type, ObjectKey key) {
        writes.delete(definition(type), key.namespace(), key.name(), new DeleteOptions(false, 0, "", "", ""));
    }

    /** The server's time. */
    public Instant now() {
        return cluster.now();
    }

    /** Deletes what has this object's type and name. */
    public void delete(Object object) {
        last(object, tree -> {
            ResourceDefinition type = type(tree);
            return writes.delete(type, namespace(type, tree), name(tree), DeleteOptions.DEFAULT).object();
        });
    }

    /** The object as it is stored now. */
    public Optional<ObjectNode> get(ResourceType<?> type, ObjectKey key) {
        ResourceDefinition definition = definition(type);
        return Optional.ofNullable(cluster.get(definition, key.namespace(), key.name())).map(object -> object.tree(definition, type.version()));
    }

    /** All objects of the type, by namespace and name. */
    public List<ObjectNode> list(ResourceType<?> type) {
        List<ObjectNode> trees = new ArrayList<>();
        ResourceDefinition definition = definition(type);
        cluster.list(definition, Selection.all(), null).objects().forEach(object -> trees.add(object.tree(definition, type.version())));
        return trees;
    }

    private interface Step {
        StoredObject apply(ObjectNode tree);
    }

    private ObjectNode last(Object object, Step step) {
        ObjectNode last = null;
        for (ObjectNode tree : trees(object)) {
            last = step.apply(tree).tree(type(tree), version(tree));
        }
        if (last == null) {
            throw new IllegalArgumentException("no object in the text: a document needs apiVersion, kind and metadata");
        }
        return last;
    }

    private static List<ObjectNode> trees(Object object) {
        if (object instanceof ObjectNode tree) {
            return List.of(tree);
        }
        if (object instanceof CharSequence text) {
            List<ObjectNode> trees = new ArrayList<>();
            for (JsonNode document : YamlText.read(text.toString())) {
                if (Json.text(document, "kind").equals("List")) {
                    document.path("items").forEach(item -> trees.add((ObjectNode) item));
                } else {
                    trees.add((ObjectNode) document);
                }
            }
            return trees;
        }
        return List.of(ModelObjects.tree(object));
    }

    private static String version(ObjectNode tree) {
        String apiVersion = Json.text(tree, "apiVersion");
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }

    private ResourceDefinition type(ObjectNode tree) {
        String apiVersion = Json.text(tree, "apiVersion");
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        String kind = Json.text(tree, "kind");
        return cluster.types()
                .find(group, version(tree), kind)
                .orElseThrow(() -> new IllegalArgumentException("the server has no type for apiVersion \"" + apiVersion + "\", kind \"" + kind
                        + "\"; a custom one needs its CustomResourceDefinition first"));
    }

    private ResourceDefinition definition(ResourceType<?> type) {
        return cluster.types()
                .find(type.group(), type.plural())
                .orElseThrow(() -> new IllegalArgumentException(
                        "the server has no type " + type + "; a custom one needs its CustomResourceDefinition first"));
    }

    private static @Nullable String namespace(ResourceDefinition type, ObjectNode tree) {
        String namespace = Json.text(tree, "metadata", "namespace");
        return !type.namespaced() ? null : namespace.isEmpty() ? "default" : namespace;
    }

    private static String name(ObjectNode tree) {
        return Json.text(tree, "metadata", "name");
    }
}
