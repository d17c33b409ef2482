package io.reactiveinformer.apiserver;

import io.reactiveinformer.apiserver.internal.Engine;
import io.reactiveinformer.apiserver.internal.admission.WebhookClient;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.DeleteOptions;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ModelObjects;
import io.reactiveinformer.apiserver.internal.cluster.PrintedObjects;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.Selection;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import io.reactiveinformer.apiserver.internal.cluster.WriteOptions;
import io.reactiveinformer.apiserver.internal.cluster.Writes;
import io.reactiveinformer.apiserver.internal.cluster.YamlText;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The objects of the cluster, read and written without requests. The caller is trusted: a status that it writes is stored, and a missing
 * namespace is created. Everything else is as with a client's request: versions, events, finalizers, defaults. A write that the server
 * would refuse throws an exception with the server's message. Admission webhooks are not called; those that convert are. Safe for use by
 * several threads.
 *
 * <p>An object is a tree ({@link JsonNode}), a model class of {@code client-java-api}, a record or class of the user that has apiVersion
 * and kind, or YAML or JSON text of one or more documents.
 */
public class ClusterObjects {

    private final Cluster cluster;
    private final Writes writes;
    private final WebhookClient webhooks;

    /** For a facade that has its objects elsewhere, and has a cluster here too. */
    protected ClusterObjects(ClusterObjects here) {
        this.cluster = here.cluster;
        this.writes = here.writes;
        this.webhooks = here.webhooks;
    }

    private ClusterObjects(Engine engine) {
        this.cluster = engine.cluster();
        this.writes = engine.writes();
        this.webhooks = engine.webhooks();
    }

    /** The objects of this engine's cluster, for the facades of the server. Tests get them from their facade. */
    public static ClusterObjects of(Engine engine) {
        return new ClusterObjects(engine);
    }

    /**
     * Creates the object, or each one of a text.
     *
     * @return the (last) object as it is stored
     * @throws IllegalArgumentException if the server has no such type, or if a text has no object
     */
    public ObjectNode create(Object object) {
        return last(object, tree -> {
            ResourceDefinition type = type(tree);
            return writes.create(type, namespace(type, tree), tree, WriteOptions.TRUSTED.in(version(tree))).object();
        });
    }

    /**
     * Stores what {@code kubectl get -o yaml} or {@code -o json} has printed, as it is: with uids, versions, generations, times, managers,
     * status, and owners by their uids. Each such object comes in place of the one of its name; objects without a resourceVersion are
     * created. Definitions of custom types may stand anywhere, and a missing namespace is created. Later versions are higher than all of
     * these. Watches of the types end, and older versions are expired. An owner that is not in the text, nor here, is taken to exist
     * elsewhere: its dependents are not collected.
     *
     * @throws IllegalArgumentException if the server has no such type, or if a text has no object
     */
    public void load(Object object) {
        List<ObjectNode> trees = trees(object).stream().map(ClusterObjects::asSent).toList();
        List<ObjectNode> printed = trees.stream().filter(PrintedObjects::isPrinted).toList();
        List<ObjectNode> others = trees.stream().filter(tree -> !PrintedObjects.isPrinted(tree)).toList();
        requireObjects(trees.size());
        others.stream().filter(PrintedObjects::isDefinition).forEach(this::create);
        PrintedObjects.load(cluster, printed.stream().filter(PrintedObjects::isDefinition).toList());
        PrintedObjects.requireTypes(cluster, trees);
        webhooks.await(() -> {
            PrintedObjects.load(cluster, printed.stream().filter(tree -> !PrintedObjects.isDefinition(tree)).toList());
            return printed;
        });
        printed.stream().map(tree -> Json.text(tree, "metadata", "namespace")).filter(name -> !name.isEmpty()).distinct()
                .forEach(this::createNamespace);
        others.stream().filter(tree -> !PrintedObjects.isDefinition(tree)).forEach(this::create);
    }

    private void createNamespace(String name) {
        ResourceDefinition namespaces = cluster.types().find("", "namespaces").orElseThrow();
        if (cluster.get(namespaces, null, name) == null) {
            writes.createNamespace(name, WriteOptions.TRUSTED);
        }
    }

    /**
     * Replaces the object, or each one of a text. A resourceVersion in it is a precondition.
     *
     * @return the (last) object as it is stored
     * @throws IllegalArgumentException if the server has no such type, or if a text has no object
     */
    public ObjectNode update(Object object) {
        return last(object, tree -> {
            ResourceDefinition type = type(tree);
            return writes.update(Writes.Target.of(type, namespace(type, tree), name(tree)), old -> tree,
                    WriteOptions.TRUSTED.in(version(tree))).object();
        });
    }

    /**
     * Replaces the object, atomically, by what {@code change} makes of a copy of its present state.
     *
     * @param change returns the whole tree that it was given, changed, or another one of the same kind, namespace and name
     * @return the object as it is stored
     * @throws IllegalArgumentException if the server has no such type, or if {@code change} returns a part of the tree, or another object
     */
    public ObjectNode edit(ResourceType<?> type, ObjectKey key, UnaryOperator<ObjectNode> change) {
        ResourceDefinition definition = definition(type);
        WriteOptions options = WriteOptions.TRUSTED.in(definition.versions().contains(type.version()) ? type.version() : "");
        return webhooks.await(() -> writes.update(Writes.Target.of(definition, key.namespace(), key.name()),
                        old -> requireSame(definition, key, asSent(change.apply(old))), options)
                .object().tree(definition, type.version()));
    }

    /** A tree that was navigated, {@code tree.withObject("/spec")}, is easily returned for the whole. */
    private static ObjectNode requireSame(ResourceDefinition type, ObjectKey key, ObjectNode tree) {
        String wanted = type.kind() + " " + key;
        String namespace = Json.text(tree, "metadata", "namespace");
        String found = Json.text(tree, "kind") + " " + (namespace.isEmpty() ? "" : namespace + "/") + name(tree);
        if (!found.equals(wanted)) {
            throw new IllegalArgumentException("cannot edit " + wanted + ": the function returned "
                    + (found.isBlank() ? "a tree without kind and name" : found)
                    + "; return the whole tree that was given, not a part of it, and create another object by create(…)");
        }
        return tree;
    }

    /**
     * Deletes the object: at once, unless finalizers or a grace period delay that.
     *
     * @throws IllegalArgumentException if the server has no such type
     */
    public void delete(ResourceType<?> type, ObjectKey key) {
        writes.delete(definition(type), key.namespace(), key.name(), DeleteOptions.DEFAULT);
    }

    /**
     * Deletes the object by force, without a pod's grace period. Finalizers delay that all the same.
     *
     * @throws IllegalArgumentException if the server has no such type
     */
    public void deleteNow(ResourceType<?> type, ObjectKey key) {
        writes.delete(definition(type), key.namespace(), key.name(), new DeleteOptions(false, 0, "", "", ""));
    }

    /** The present instant of the server's time. */
    public Instant now() {
        return cluster.now();
    }

    /**
     * Deletes the object, or each one of a text, by its type, namespace and name: at once, unless finalizers or a grace period delay that.
     *
     * @throws IllegalArgumentException if the server has no such type, or if a text has no object
     */
    public void delete(Object object) {
        last(object, tree -> {
            ResourceDefinition type = type(tree);
            return writes.delete(type, namespace(type, tree), name(tree), DeleteOptions.DEFAULT).object();
        });
    }

    /**
     * A copy of the object as it is stored now, in the version of {@code type}; empty if there is none.
     *
     * @throws IllegalArgumentException if the server has no such type
     */
    public Optional<ObjectNode> get(ResourceType<?> type, ObjectKey key) {
        ResourceDefinition definition = definition(type);
        return Optional.ofNullable(cluster.get(definition, key.namespace(), key.name()))
                .map(object -> webhooks.await(() -> object.tree(definition, type.version())));
    }

    /**
     * Copies of all objects of the type, in the version of {@code type}, sorted by namespace and name.
     *
     * @throws IllegalArgumentException if the server has no such type
     */
    public List<ObjectNode> list(ResourceType<?> type) {
        ResourceDefinition definition = definition(type);
        return cluster.list(definition, Selection.all(), null).objects().stream()
                .map(object -> webhooks.await(() -> object.tree(definition, type.version()))).toList();
    }

    private interface Step {
        StoredObject apply(ObjectNode tree);
    }

    private ObjectNode last(Object object, Step step) {
        List<ObjectNode> done = trees(object).stream().map(tree -> webhooks.await(() ->
                step.apply(asSent(tree)).tree(type(tree), version(tree)))).toList();
        requireObjects(done.size());
        return done.get(done.size() - 1);
    }

    private static void requireObjects(int count) {
        if (count == 0) {
            throw new IllegalArgumentException("no object in the text: a document needs apiVersion, kind and metadata");
        }
    }

    /** The tree as a request would bring it: the caller keeps its own, and numbers are equal whichever class of node held them. */
    private static ObjectNode asSent(ObjectNode tree) {
        ObjectNode sent = (ObjectNode) Json.read(Json.write(tree));
        ApiFailure unreadable = ModelObjects.unreadable(sent);
        if (unreadable != null) {
            throw unreadable;
        }
        return sent;
    }

    /** The trees of an object in one of the forms above; none if a text has no object. */
    protected static List<ObjectNode> trees(Object object) {
        return object instanceof CharSequence text ? YamlText.read(text.toString()).stream().flatMap(ClusterObjects::objects).toList()
                : List.of(object instanceof ObjectNode tree ? tree : ModelObjects.tree(object));
    }

    /** The items of a list, of any kind, or the object itself. */
    private static Stream<ObjectNode> objects(JsonNode document) {
        String kind = Json.text(document, "kind");
        if (!(document instanceof ObjectNode tree)) {
            throw new IllegalArgumentException("a document needs apiVersion, kind and metadata, but is " + document);
        }
        return !kind.endsWith("List") || !document.path("items").isArray() ? Stream.of(tree)
                : document.path("items").valueStream().map(item -> item.has("kind") ? (ObjectNode) item // the items of a PodList have none
                        : ((ObjectNode) item).put("kind", kind.substring(0, kind.length() - "List".length()))
                                .put("apiVersion", Json.text(document, "apiVersion")));
    }

    private static String version(ObjectNode tree) {
        String apiVersion = Json.text(tree, "apiVersion");
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }

    private ResourceDefinition type(ObjectNode tree) {
        return cluster.types().of(tree);
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
