package io.reactiveinformer.apiserver.internal.cluster;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Creates, changes and deletes objects by the server's rules. Each method is one transaction. A refusal is an {@link ApiFailure}. */
public final class Writes {

    /** Fields that only the server sets; manifests often have null in them. */
    private static final List<String> NEVER_APPLIED =
            List.of("creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "selfLink");

    /** Types whose updates must have a resourceVersion, as those of custom objects; other types are overwritten in any state. */
    private static final Set<String> ONLY_FROM_A_VERSION = Set.of(CustomTypes.DEFINITIONS, "leases.coordination.k8s.io",
            "leasecandidates.coordination.k8s.io", "poddisruptionbudgets.policy", "runtimeclasses.node.k8s.io", "csidrivers.storage.k8s.io",
            "csinodes.storage.k8s.io", "csistoragecapacities.storage.k8s.io", "volumeattachments.storage.k8s.io",
            "apiservices.apiregistration.k8s.io", "clustertrustbundles.certificates.k8s.io", "storageversions.internal.apiserver.k8s.io");

    private static final int MAX_GENERATED_BASE = 58;
    private static final int DEFAULT_GRACE_SECONDS = 30;

    private final Cluster cluster;
    private final Followers followers;
    private final LimitRanges limits;
    private final Quotas quotas;
    private final ReferredObjects referred;

    /** Notified of each change, after it and under the lock. */
    interface Followers {
        void stored(StoredObject object);

        void removed(StoredObject last);

        /** A pod is to stop within its grace period. */
        void stopping(StoredObject object, Duration grace);
    }

    Writes(Cluster cluster, Quotas quotas, Followers followers) {
        this.cluster = cluster;
        this.followers = followers;
        this.limits = new LimitRanges(cluster);
        this.quotas = quotas;
        this.referred = new ReferredObjects(cluster);
    }

    /**
     * The result of a write.
     *
     * @param object the object as it is stored, or its last state
     * @param created whether it was created, which is answered with 201
     * @param gone whether it was removed
     */
    public record Outcome(StoredObject object, boolean created, boolean gone) {}

    /**
     * The object that is written, or one of its subresources.
     *
     * @param namespace null for cluster-scoped types
     * @param subresource empty for the object itself
     */
    public record Target(ResourceDefinition type, @Nullable String namespace, String name, String subresource) {

        /** The object itself. */
        public static Target of(ResourceDefinition type, @Nullable String namespace, String name) {
            return new Target(type, namespace, name, "");
        }
    }

    /** Creates an object from {@code body}. The namespace is null for cluster-scoped types. */
    public Outcome create(ResourceDefinition type, @Nullable String namespace, ObjectNode body, WriteOptions options) {
        return cluster.write(() -> {
            ObjectNode sent = (options.applies() ? ServerSideApply.created(type, body) : body.deepCopy())
                    .put("apiVersion", type.apiVersion(options.versionOf(type)));
            ObjectNode asSent = ObjectForm.order(type, sent);
            Json.child(asSent, "metadata").remove("managedFields");
            checkNamespace(type, namespace, Json.child(asSent, "metadata"), options);
            settle(type, asSent, options);
            ObjectNode admitted = asSent.deepCopy();
            referred.fillIn(type, admitted, options.trusted());
            Defaults.onAdmission(type, admitted);
            limits.fillIn(type, admitted);
            var write = new Admission.Attributes("CREATE", Target.of(type, namespace, Json.text(admitted, "metadata", "name")), null,
                    options.dryRun(), changed -> settle(type, changed, options));
            ObjectNode tree = options.admission().mutate(write, admitted);
            ObjectNode metadata = Json.child(tree, "metadata");
            name(type, metadata, options);
            String name = Json.text(metadata, "name");
            if (type.isCustom() && !options.trusted() && DefinitionController.waiting(cluster, type) != null) {
                throw ApiFailure.forbidden(type, name, "create not allowed while custom resource definition is terminating");
            }
            StoredObject existing = cluster.table(type).get(namespace, name);
            if (existing != null) {
                throw ApiFailure.alreadyExists(type, name, existing.storedTree().path("metadata").has("deletionTimestamp"));
            }
            if (options.applies()) {
                if (!Json.text(metadata, "uid").isEmpty()) {
                    throw ApiFailure.conflict(type, name, "uid mismatch: the provided object specified uid " + Json.text(metadata, "uid")
                            + ", and no existing object was found");
                }
                metadata.remove("resourceVersion"); // the real server creates it, whatever version was expected
            }
            metadata.put("uid", options.admission().once("uid", cluster::newUid)).put("creationTimestamp", cluster.timestamp());
            metadata.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"));
            if (type.hasGeneration()) {
                metadata.put("generation", 1);
            } else if (type.isCustom()) {
                metadata.remove("generation");
            }
            Defaults.named(type, tree);
            tree = ServiceAddresses.assign(cluster, type, null, tree);
            metadata = Json.child(tree, "metadata");
            Validation.object(type, "", null, tree, options.admission()::warn);
            if (!options.trusted()) {
                ManagedFields.create(type, body, asSent, writer(Target.of(type, namespace, name), options));
                metadata.set("managedFields", asSent.path("metadata").path("managedFields"));
            }
            limits.check(type, tree);
            options.admission().validate(write, tree);
            quotas.check(type, null, tree);
            quotas.fillIn(type, tree);
            ObjectNode settled = ObjectForm.toStorage(type, tree);
            StoredObject shown = shown(type, settled, options);
            if (options.dryRun()) {
                return new Outcome(shown, true, false);
            }
            if (!Json.text(metadata, "resourceVersion").isEmpty()) {
                throw ApiFailure.of(500, "", "resourceVersion should not be set on objects to be created");
            }
            StoredObject stored = cluster.store(type, settled);
            followers.stored(stored);
            return new Outcome(stored, true, false);
        });
    }

    /** Creates a namespace of this name. */
    public void createNamespace(String name, WriteOptions options) {
        ObjectNode namespace = Json.object();
        namespace.putObject("metadata").put("name", name);
        create(cluster.types().find("", "namespaces").orElseThrow(), null, namespace, options);
    }

    /** Replaces an object, or one of its subresources, by what {@code change} makes of it. */
    public Outcome update(Target target, UnaryOperator<ObjectNode> change, WriteOptions options) {
        ResourceDefinition type = target.type();
        return cluster.write(() -> {
            StoredObject before = existing(type, target.namespace(), target.name());
            ObjectNode old = before.tree(type, options.versionOf(type));
            ObjectNode changed = change.apply(old.deepCopy());
            checkIdentity(type, before, Json.child(changed, "metadata"), options);
            Validation.deletion(type, old, changed.path("metadata"));
            changed.set("apiVersion", old.path("apiVersion"));
            ObjectNode asSent = ObjectForm.order(type, changed);
            String writable = options.trusted() ? WritableFields.EVERYTHING : target.subresource();
            settle(type, old, asSent, writable);
            if (target.subresource().equals("binding")) {
                referred.zones(asSent);
            }
            var write = new Admission.Attributes("UPDATE", target, old, options.dryRun(), each -> settle(type, old, each, writable));
            ObjectNode tree = ServiceAddresses.assign(cluster, type, old, options.admission().mutate(write, asSent));
            ObjectNode metadata = Json.child(tree, "metadata");
            Validation.object(type, writable, old, tree, options.admission()::warn);
            if (!options.trusted() && !options.applies()) {
                ManagedFields.update(type, old, asSent, writer(target, options));
                metadata.set("managedFields", asSent.path("metadata").path("managedFields"));
            }
            options.admission().validate(write, tree);
            if (writable.isEmpty()) {
                quotas.check(type, old, tree);
                if (type.qualified().equals("persistentvolumeclaims")) {
                    limits.check(type, tree);
                }
            }
            quotas.fillIn(type, tree);
            boolean unchanged = ManagedFields.isSame(ObjectForm.order(type, old), ObjectForm.order(type, tree));
            boolean gone = metadata.has("deletionTimestamp") && metadata.path("finalizers").isEmpty()
                    && metadata.path("deletionGracePeriodSeconds").asInt(0) == 0
                    && !(type.qualified().equals("namespaces") && tree.path("spec").path("finalizers").size() > 0);
            ObjectNode settled = ObjectForm.toStorage(type, tree);
            StoredObject shown = shown(type, settled, options);
            if (gone && !options.dryRun()) {
                removeNow(type, before.settledTree());
                return new Outcome(shown, false, true);
            }
            if (unchanged || options.dryRun()) {
                return new Outcome(unchanged ? before : shown, false, false);
            }
            StoredObject stored = cluster.store(type, settled);
            followers.stored(stored);
            if (!before.awaited().isEmpty() && metadata.path("finalizers").isEmpty()) {
                followers.stopping(stored, Duration.ofSeconds(metadata.path("deletionGracePeriodSeconds").asInt(0)));
            }
            return new Outcome(stored, false, false);
        });
    }

    /**
     * Server-side apply: applies {@code wanted} to an object or one of its subresources, or creates the object.
     *
     * @param force whether to take over fields of other managers instead of failing
     */
    public Outcome apply(Target target, ObjectNode wanted, boolean force, WriteOptions options) {
        ResourceDefinition type = target.type();
        WriteOptions applying = options.applying();
        return cluster.write(() -> {
            ManagedFields.Writer writer = writer(target, applying);
            Json.child(wanted, "metadata").put("name", target.name()).remove(NEVER_APPLIED);
            WritableFields.onlyWhatIsApplied(type, wanted, target.subresource());
            if (target.subresource().isEmpty() && cluster.table(type).get(target.namespace(), target.name()) == null) {
                return create(type, target.namespace(), wanted, applying);
            }
            return update(target, old -> ServerSideApply.apply(type, old, wanted, writer, force), applying);
        });
    }

    /** Fills in the defaults of a new object, and drops what its type does not know. */
    private static ObjectNode settle(ResourceDefinition type, ObjectNode tree, WriteOptions options) {
        Defaults.onCreate(type, tree, options.trusted());
        CustomSchema.settle(type, tree);
        return tree;
    }

    /** As for a new object, and restores what the write may not change. */
    private static ObjectNode settle(ResourceDefinition type, ObjectNode old, ObjectNode tree, String writable) {
        Defaults.onUpdate(type, tree, writable.equals(WritableFields.EVERYTHING) ? tree : old);
        Defaults.onAdmission(type, tree);
        CustomSchema.settle(type, tree);
        WritableFields.onlyWhatMayChange(type, old, tree, writable);
        return tree;
    }

    /** The object as an answer would have it. Whatever that takes is done before anything is stored. */
    private StoredObject shown(ResourceDefinition type, ObjectNode settled, WriteOptions options) {
        StoredObject object = ObjectForm.store(cluster.types().storing(type), settled.deepCopy());
        CustomSchema.prepare(type, List.of(object), options.versionOf(type));
        return object;
    }

    private ManagedFields.Writer writer(Target target, WriteOptions options) {
        String version = target.type().apiVersion(options.versionOf(target.type()));
        return new ManagedFields.Writer(options.manager(), options.applies(), version,
                target.subresource().equals("binding") ? "" : target.subresource(), cluster.timestamp());
    }

    /** Deletes an object: at once, or in steps if finalizers or a grace period require that. */
    public Outcome delete(ResourceDefinition type, @Nullable String namespace, String name, DeleteOptions options) {
        return cluster.write(() -> {
            StoredObject object = existing(type, namespace, name);
            admit(object, options);
            return deleteLocked(type, object, options);
        });
    }

    /** Deletes all selected objects, as {@link #delete} does. Returns their states before that. */
    public Cluster.Listing deleteAll(ResourceDefinition type, Selection selection, DeleteOptions options) {
        return cluster.write(() -> {
            Cluster.Listing listing = cluster.list(type, selection, null);
            listing.objects().forEach(object -> admit(object, options));
            for (StoredObject object : listing.objects()) {
                deleteLocked(type, object, options);
            }
            return listing;
        });
    }

    private static void admit(StoredObject object, DeleteOptions options) {
        ObjectNode old = options.admission() == Admission.NONE ? Json.object() : object.storedTree();
        var write = new Admission.Attributes("DELETE", Target.of(object.type(), object.namespace(), object.name()), old, options.dryRun(),
                UnaryOperator.identity());
        if (options.admission() != Admission.NONE && object.type().qualified().equals("namespaces") && Cluster.FOR_EVER.contains(object.name())) {
            throw ApiFailure.forbidden(object.type(), object.name(), "this namespace may not be deleted");
        }
        options.admission().mutate(write, old);
        options.admission().validate(write, null);
    }

    private Outcome deleteLocked(ResourceDefinition type, StoredObject object, DeleteOptions options) {
        checkPreconditions(type, object, options);
        ObjectNode tree = object.settledTree();
        ObjectNode metadata = Json.child(tree, "metadata");
        if (options.dryRun()) {
            return new Outcome(object, false, true);
        }
        ReferredObjects.unprotect(metadata);
        int grace = grace(type, tree, options);
        boolean marked = metadata.has("deletionTimestamp");
        addFinalizer(metadata, options);
        if (type.qualified().equals(CustomTypes.DEFINITIONS) && !marked) {
            DefinitionController.prepare(cluster, tree);
        }
        boolean held = !metadata.path("finalizers").isEmpty() || type.qualified().equals("namespaces");
        if (marked && held && metadata.path("deletionGracePeriodSeconds").asInt(0) <= grace) {
            return new Outcome(object, false, false);
        }
        if (!held && grace == 0 && !type.qualified().equals("pods")) {
            return new Outcome(removeNow(type, tree), false, true);
        }
        if (!marked || metadata.path("deletionGracePeriodSeconds").asInt(0) > grace) {
            metadata.put("deletionTimestamp", cluster.now().plusSeconds(grace).truncatedTo(ChronoUnit.SECONDS).toString());
            if (type.qualified().equals("namespaces")) {
                metadata.remove("deletionGracePeriodSeconds");
                Json.child(tree, "status").put("phase", "Terminating");
            } else {
                metadata.put("deletionGracePeriodSeconds", grace);
            }
            if (!marked && type.hasGeneration()) {
                metadata.put("generation", metadata.path("generation").asLong(0) + 1);
            }
            object = cluster.store(type, tree);
            followers.stored(object);
        }
        if (!held && grace == 0) {
            return new Outcome(removeNow(type, object.settledTree()), false, true);
        }
        if (!held) {
            followers.stopping(object, Duration.ofSeconds(grace));
        }
        return new Outcome(object, false, false);
    }

    /** Deletes an object without a grace period, if its uid is still the same. */
    void deleteNow(StoredObject object) {
        cluster.write(() -> {
            StoredObject current = cluster.current(object);
            return current == null ? object
                    : deleteLocked(object.type(), current, new DeleteOptions(false, 0, "", "", "")).object();
        });
    }

    /** Removes an object that is marked for deletion, if its uid is still the same and no finalizer delays it. */
    void finish(StoredObject object) {
        cluster.write(() -> {
            StoredObject current = cluster.current(object);
            ObjectNode tree = current == null ? Json.object() : current.settledTree();
            boolean ends = current != null && tree.path("metadata").path("finalizers").isEmpty();
            return ends ? removeNow(object.type(), tree) : object;
        });
    }

    private StoredObject removeNow(ResourceDefinition type, ObjectNode tree) {
        StoredObject last = cluster.remove(type, tree);
        followers.removed(last);
        return last;
    }

    private static void addFinalizer(ObjectNode metadata, DeleteOptions options) {
        String finalizer = Map.of("Foreground", "foregroundDeletion", "Orphan", "orphan").getOrDefault(options.propagation(), "");
        if (!finalizer.isEmpty() && !metadata.has("deletionTimestamp")) {
            metadata.withArray("finalizers").add(finalizer);
        }
    }

    private static int grace(ResourceDefinition type, ObjectNode tree, DeleteOptions options) {
        JsonNode spec = tree.path("spec");
        boolean ended = List.of("Failed", "Succeeded").contains(Json.text(tree, "status", "phase"));
        if (!type.qualified().equals("pods") || Json.text(spec, "nodeName").isEmpty() || ended) {
            return 0;
        }
        Integer asked = options.gracePeriodSeconds();
        return asked != null ? asked : spec.path("terminationGracePeriodSeconds").asInt(DEFAULT_GRACE_SECONDS);
    }

    private StoredObject existing(ResourceDefinition type, @Nullable String namespace, String name) {
        StoredObject object = cluster.table(type).get(namespace, name);
        if (object == null) {
            throw ApiFailure.notFound(type, name);
        }
        return object;
    }

    private void checkNamespace(ResourceDefinition type, @Nullable String namespace, ObjectNode metadata, WriteOptions options) {
        if (!type.namespaced()) {
            metadata.remove("namespace");
            return;
        }
        if (namespace == null) {
            throw ApiFailure.badRequest("an empty namespace may not be set during creation");
        }
        String own = Json.text(metadata, "namespace");
        if (!own.isEmpty() && !own.equals(namespace)) {
            throw ApiFailure.badRequest("the namespace of the provided object does not match the namespace sent on the request");
        }
        ResourceDefinition namespaces = cluster.types().find("", "namespaces").orElseThrow();
        StoredObject found = cluster.table(namespaces).get(null, namespace);
        if (found == null && !options.trusted()) {
            throw ApiFailure.notFound(namespaces, namespace);
        }
        if (found == null) {
            createNamespace(namespace, options);
        }
        if (found != null && Json.text(found.storedTree(), "status", "phase").equals("Terminating")) {
            throw ApiFailure.terminating(namespace, Json.text(metadata, "name"), type);
        }
        metadata.put("namespace", namespace);
    }

    private void name(ResourceDefinition type, ObjectNode metadata, WriteOptions options) {
        String base = Json.text(metadata, "generateName");
        if (Json.text(metadata, "name").isEmpty() && base.isEmpty() && type.qualified().equals("limitranges")) {
            metadata.put("name", options.admission().once("name", cluster::newUid));
        } else if (Json.text(metadata, "name").isEmpty() && !base.isEmpty()) {
            metadata.put("name", base.substring(0, Math.min(base.length(), MAX_GENERATED_BASE))
                    + options.admission().once("suffix", cluster::newSuffix));
        }
    }

    private static void checkIdentity(ResourceDefinition type, StoredObject before, ObjectNode metadata, WriteOptions options) {
        String uid = Json.text(metadata, "uid");
        if (!uid.isEmpty() && !uid.equals(before.uid())) {
            throw ApiFailure.conflict(type, before.name(), "StorageError: invalid object, Code: 4, Key: /registry/" + type.plural() + "/"
                    + before.key() + ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: " + uid
                    + ", UID in object meta: " + before.uid());
        }
        String version = Json.text(metadata, "resourceVersion");
        if (!version.matches("\\d{0,19}")) {
            throw ApiFailure.of(500, "", "strconv.ParseUint: parsing \"" + version + "\": invalid syntax");
        }
        boolean unconditional = version.isEmpty() || version.equals("0");
        if (unconditional && !options.trusted() && (type.isCustom() || type.group().equals("admissionregistration.k8s.io")
                || ONLY_FROM_A_VERSION.contains(type.qualified()))) {
            throw Validation.versionRequired(type, before.name());
        }
        if (!unconditional && !version.equals(Long.toString(before.version()))) {
            throw ApiFailure.conflict(type, before.name(),
                    "the object has been modified; please apply your changes to the latest version and try again");
        }
    }

    private static void checkPreconditions(ResourceDefinition type, StoredObject object, DeleteOptions options) {
        List<String> unmet = new ArrayList<>();
        if (!options.uid().isEmpty() && !options.uid().equals(object.uid())) {
            unmet.add("the UID in the precondition (" + options.uid() + ") does not match the UID in record (" + object.uid() + ")");
        }
        String version = Long.toString(object.version());
        if (!options.version().isEmpty() && !options.version().equals(version)) {
            unmet.add("the ResourceVersion in the precondition (" + options.version() + ") does not match the ResourceVersion in record ("
                    + version + ")");
        }
        if (!unmet.isEmpty()) {
            String kind = type.kind() + (type.group().isEmpty() ? "" : "." + type.group());
            throw ApiFailure.of(409, "Conflict", "Operation cannot be fulfilled on " + kind + " \"" + object.name() + "\": " + unmet.get(0)
                    + ". The object might have been modified", ApiFailure.details(object.name(), type.group(), type.kind()));
        }
    }

}
