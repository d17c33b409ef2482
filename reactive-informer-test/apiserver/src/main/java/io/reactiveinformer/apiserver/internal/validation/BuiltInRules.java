package io.reactiveinformer.apiserver.internal.validation;

import io.reactiveinformer.internal.protobuf.Messages;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** What the server refuses of an object, as far as the kit knows it. */
public final class BuiltInRules {

    private BuiltInRules() {}

    /** The problems that the server reports alone: those of addresses that cannot be given. */
    public static List<Problem> alone(String type, JsonNode object) {
        Value root = Value.root(object);
        if (type.equals("services")) {
            ServiceRules.addresses(root.at("spec"));
        }
        return root.problems();
    }

    /**
     * The problems of the metadata of an object of any type.
     *
     * @param type such as {@code deployments.apps}
     * @param old null for a creation
     */
    public static List<Problem> metadata(String type, @Nullable JsonNode old, JsonNode object) {
        Value root = Value.root(object);
        if (old == null) {
            MetadataRules.created(type, isBuiltIn(object), root.at("metadata"));
        } else {
            MetadataRules.updated(isBuiltIn(object), root.at("metadata"));
        }
        return root.problems();
    }

    /**
     * The problems of an object of a built-in type with the defaults of the server, without those of its metadata.
     *
     * @param type such as {@code deployments.apps}
     * @param old null for a creation
     */
    public static List<Problem> object(String type, @Nullable JsonNode old, JsonNode object) {
        if (type.equals("events") || type.equals("events.events.k8s.io")) {
            return EventRules.problems(type, old, object);
        }
        Value root = Value.root(object);
        rules(type, old == null, root);
        if (isBuiltIn(object)) {
            TableRules.check(message(object), old == null ? MissingNode.getInstance() : old, root);
        }
        Value changed = Value.root(object);
        if (type.equals("jobs.batch")) {
            WorkloadRules.selected(changed.at("spec"));
        }
        if (old != null) {
            ImmutableRules.check(type, old, changed);
        }
        return Stream.concat(sorted(object, root.problems()).stream(), changed.problems().stream()).toList();
    }

    /** Problems of an object in the order in which the server finds them. */
    public static List<Problem> sorted(JsonNode object, List<Problem> problems) {
        return FieldOrder.sorted(message(object), object.path("kind").asString("").equals("CustomResourceDefinition")
                ? StructuralRules.internal(object.path("spec").path("versions"), problems) : problems);
    }

    private static boolean isBuiltIn(JsonNode object) {
        return Messages.builtIn().find(message(object)).isPresent();
    }

    private static String message(JsonNode object) {
        return object.path("apiVersion").asString("") + "." + object.path("kind").asString("");
    }

    private static void rules(String type, boolean created, Value object) {
        Value spec = object.at("spec");
        switch (type) {
            case "pods" -> {
                PodRules.specification(spec);
                spec.at("ephemeralContainers").forbiddenIf(created && !spec.at("ephemeralContainers").isEmpty(), "cannot be set on create");
            }
            case "namespaces" -> spec.at("finalizers").items().forEach(finalizer -> {
                Value shown = spec.at("finalizers").with(finalizer.node());
                shown.invalid(Names.key(finalizer.text()));
                shown.invalidIf(!MetadataRules.isFinalizer(finalizer.text()), MetadataRules.NO_FINALIZER);
            });
            case "replicationcontrollers" -> WorkloadRules.replicationController(spec);
            case "persistentvolumes" -> StorageRules.volume(spec);
            case "storageclasses.storage.k8s.io" -> StorageRules.topologies(object.at("allowedTopologies"));
            case "csidrivers.storage.k8s.io" -> StorageRules.tokens(spec.at("tokenRequests"));
            case "ingressclasses.networking.k8s.io" -> ServiceRules.parameters(spec.at("parameters"));
            case "controllerrevisions.apps" ->
                    object.at("data").requiredIf(created && !object.at("data").node().isObject(), "data must be a valid JSON object");
            case "validatingadmissionpolicybindings.admissionregistration.k8s.io" -> WebhookRules.binding(spec);
            case "validatingadmissionpolicies.admissionregistration.k8s.io" -> WebhookRules.policy(spec);
            case "podtemplates" -> PodRules.template(object.at("template"));
            case "deployments.apps", "replicasets.apps" -> WorkloadRules.running(spec, "deployment");
            case "statefulsets.apps" -> {
                WorkloadRules.statefulSet(spec, created);
                WorkloadRules.running(spec, "statefulset");
            }
            case "daemonsets.apps" -> WorkloadRules.running(spec, "daemonset");
            case "jobs.batch" -> WorkloadRules.job(spec);
            case "cronjobs.batch" -> WorkloadRules.cronJob(spec);
            case "services" -> ServiceRules.service(spec);
            case "endpoints" -> ServiceRules.endpoints(object);
            case "endpointslices.discovery.k8s.io" -> ServiceRules.slice(object);
            case "ingresses.networking.k8s.io" -> ServiceRules.ingress(spec);
            case "networkpolicies.networking.k8s.io" -> ServiceRules.networkPolicy(spec);
            case "nodes" -> PodRules.taints(object.at("metadata", "taints").with(spec.at("taints").node()));
            case "configmaps" -> StorageRules.configMap(object);
            case "secrets" -> StorageRules.secret(object);
            case "persistentvolumeclaims" -> StorageRules.claim(spec);
            case "horizontalpodautoscalers.autoscaling" -> ScalingRules.autoscaler(spec);
            case "poddisruptionbudgets.policy" -> ScalingRules.disruptionBudget(spec);
            case "resourcequotas" -> ScalingRules.quota(spec);
            case "limitranges" -> ScalingRules.ranges(spec);
            case "priorityclasses.scheduling.k8s.io" -> ScalingRules.priorityClass(object);
            case "roles.rbac.authorization.k8s.io" -> AccessRules.role(object, true);
            case "clusterroles.rbac.authorization.k8s.io" -> AccessRules.role(object, false);
            case "rolebindings.rbac.authorization.k8s.io" -> AccessRules.binding(object, true);
            case "clusterrolebindings.rbac.authorization.k8s.io" -> AccessRules.binding(object, false);
            case "mutatingwebhookconfigurations.admissionregistration.k8s.io",
                    "validatingwebhookconfigurations.admissionregistration.k8s.io" -> WebhookRules.webhooks(object.at("webhooks"));
            case "customresourcedefinitions.apiextensions.k8s.io" -> {
                StructuralRules.definition(object, created);
                WebhookRules.conversion(spec.at("conversion"));
            }
            default -> { }
        }
    }
}
