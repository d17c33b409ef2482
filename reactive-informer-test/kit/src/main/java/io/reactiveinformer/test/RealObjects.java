package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.ClusterObjects;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.PrintedObjects;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.StatusException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The objects of a real cluster, in the namespaces of the test, by requests of the kubeconfig's user. */
final class RealObjects extends ClusterObjects {

    private static final int CONFLICT = 409;

    private final RealCluster cluster;

    RealObjects(ClusterObjects here, RealCluster cluster) {
        super(here);
        this.cluster = cluster;
    }

    @Override
    public ObjectNode create(Object object) {
        return last(object, this::created);
    }

    private ObjectNode created(ObjectNode tree) {
        ResourceType<?> type = cluster.types().of(tree);
        if (type.plural().equals("namespaces") && type.group().isEmpty()) {
            return cluster.claim(tree);
        }
        ObjectNode created = withStatus(type, tree, cluster.call("POST", collection(type, tree), confined(tree)));
        if (PrintedObjects.isDefinition(tree)) {
            RealCluster.await(() -> Json.text(created, "metadata", "name") + " is not served", () -> isServed(type, created));
        } else if (type.plural().equals("resourcequotas")) {
            long start = System.nanoTime();
            RealCluster.await(() -> path(type, created) + " has no status", () -> isCounted(path(type, created), start));
        }
        return created;
    }

    /** The object. If it is a binding of a policy, or a configuration of webhooks, it concerns only namespaces of this run. */
    private static ObjectNode confined(ObjectNode tree) {
        if (Json.text(tree, "kind").matches("(Validating|Mutating)AdmissionPolicyBinding")) {
            tree.withObject("/spec/matchResources/namespaceSelector/matchLabels").put(RealCluster.LABEL, RealCluster.RUN);
        }
        if (Json.text(tree, "kind").matches("(Validating|Mutating)WebhookConfiguration")) {
            tree.path("webhooks").forEach(each -> each.withObject("/namespaceSelector/matchLabels").put(RealCluster.LABEL, RealCluster.RUN));
        }
        return tree;
    }

    /** Whether the quota has its first status, which is written here if no controller does: a server refuses nothing before. */
    private boolean isCounted(String path, long since) {
        ObjectNode quota = cluster.call("GET", path, null);
        boolean counted = quota.path("status").has("hard");
        if (!counted && RealCluster.isAlone(since)) {
            ObjectNode status = quota.withObject("/status");
            status.set("hard", quota.path("spec").path("hard"));
            quota.path("spec").path("hard").propertyNames().forEach(name -> status.withObject("/used").put(name, "0"));
            cluster.find("PUT", path + "/status", quota);
        }
        return counted;
    }

    /** Served in each version, and by discovery: an informer may ask at once. */
    private boolean isServed(ResourceType<?> definition, ObjectNode created) {
        JsonNode now = cluster.call("GET", path(definition, created), null);
        boolean established = now.path("status").path("conditions").valueStream()
                .anyMatch(each -> Json.text(each, "type").equals("Established") && Json.text(each, "status").equals("True"));
        return established && now.path("spec").path("versions").valueStream().filter(each -> each.path("served").asBoolean(false)).allMatch(each ->
                cluster.find("GET", "/apis/" + Json.text(now, "spec", "group") + "/" + Json.text(each, "name") + "/"
                        + Json.text(now, "spec", "names", "plural"), null).isPresent());
    }

    /** Writes the status of {@code tree}, if it has one and the type takes it apart. */
    private ObjectNode withStatus(ResourceType<?> type, ObjectNode tree, ObjectNode written) {
        JsonNode status = tree.path("status");
        if (status.isMissingNode() || status.isEmpty() || status.equals(written.path("status")) || !cluster.types().has(type, "status")) {
            return written;
        }
        written.set("status", status);
        return cluster.call("PUT", path(type, written) + "/status", written);
    }

    /** The namespace that the object names, which is created if it is missing; else that of the test. */
    private String collection(ResourceType<?> type, ObjectNode tree) {
        String named = Json.text(tree, "metadata", "namespace");
        return RealTypes.collection(type, type.namespaced() ? claimed(named.isEmpty() ? cluster.namespace() : named) : null);
    }

    private String claimed(String namespace) {
        cluster.claim(namespace);
        return namespace;
    }

    private String path(ResourceType<?> type, ObjectNode tree) {
        return collection(type, tree) + "/" + Json.text(tree, "metadata", "name");
    }

    private static String path(ResourceType<?> type, ObjectKey key) {
        return RealTypes.collection(type, key.namespace()) + "/" + key.name();
    }

    @Override
    public void load(Object object) {
        List<ObjectNode> trees = trees(object);
        if (trees.stream().anyMatch(PrintedObjects::isPrinted)) {
            throw cluster.skip("objects that kubectl has printed keep their uids and versions, and a real cluster gives its own");
        }
        trees.stream().sorted(Comparator.comparing(RealObjects::order)).forEach(this::created);
    }

    /** Definitions come first, and then quotas, which count what is created after them. */
    private static int order(ObjectNode tree) {
        return PrintedObjects.isDefinition(tree) ? 0 : Json.text(tree, "kind").equals("ResourceQuota") ? 1 : 2;
    }

    @Override
    public ObjectNode update(Object object) {
        return last(object, tree -> {
            ResourceType<?> type = cluster.types().of(tree);
            return Json.text(tree, "metadata", "resourceVersion").isEmpty()
                    ? change(type, path(type, tree), old -> {
                        Json.child(tree, "metadata").put("resourceVersion", Json.text(old, "metadata", "resourceVersion"));
                        return tree;
                    })
                    : withStatus(type, tree, cluster.call("PUT", path(type, tree), confined(tree)));
        });
    }

    @Override
    public ObjectNode edit(ResourceType<?> wanted, ObjectKey key, UnaryOperator<ObjectNode> change) {
        ResourceType<?> type = cluster.types().of(wanted);
        return change(type, path(type, key), change);
    }

    private ObjectNode change(ResourceType<?> type, String path, UnaryOperator<ObjectNode> change) {
        while (true) {
            try {
                ObjectNode tree = change.apply(cluster.call("GET", path, null));
                return withStatus(type, tree, cluster.call("PUT", path, confined(tree)));
            } catch (StatusException refused) {
                if (refused.code() != CONFLICT) {
                    throw refused;
                }
            }
        }
    }

    @Override
    public void delete(ResourceType<?> type, ObjectKey key) {
        cluster.call("DELETE", path(cluster.types().of(type), key), null);
    }

    @Override
    public void deleteNow(ResourceType<?> type, ObjectKey key) {
        cluster.call("DELETE", path(cluster.types().of(type), key), Json.object().put("gracePeriodSeconds", 0));
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public void delete(Object object) {
        last(object, tree -> cluster.call("DELETE", path(cluster.types().of(tree), tree), null));
    }

    @Override
    public Optional<ObjectNode> get(ResourceType<?> wanted, ObjectKey key) {
        return cluster.find("GET", path(cluster.types().of(wanted), key), null);
    }

    @Override
    public List<ObjectNode> list(ResourceType<?> wanted) {
        ResourceType<?> type = cluster.types().of(wanted);
        List<ObjectNode> objects = new ArrayList<>();
        cluster.call("GET", RealTypes.collection(type, null), null).path("items").forEach(item ->
                objects.add(((ObjectNode) item).put("apiVersion", type.apiVersion()).put("kind", Objects.requireNonNull(type.kind()))));
        return objects;
    }

    private static ObjectNode last(Object object, UnaryOperator<ObjectNode> step) {
        @Nullable ObjectNode last = null;
        for (ObjectNode tree : trees(object)) {
            last = step.apply(tree.deepCopy());
        }
        return Objects.requireNonNull(last, "no object in the text: a document needs apiVersion, kind and metadata");
    }
}
