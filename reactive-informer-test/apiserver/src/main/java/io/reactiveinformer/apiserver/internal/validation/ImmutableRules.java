package io.reactiveinformer.apiserver.internal.validation;

import io.reactiveinformer.internal.protobuf.Messages;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** What an update cannot change. */
final class ImmutableRules {

    private static final List<String> OF_A_JOB = List.of("selector", "template", "completionMode", "podFailurePolicy",
            "backoffLimitPerIndex", "managedBy", "successPolicy");

    private static final Set<String> OF_A_STATEFUL_SET = Set.of("replicas", "ordinals", "template", "updateStrategy",
            "revisionHistoryLimit", "persistentVolumeClaimRetentionPolicy", "minReadySeconds");

    private static final List<String> CONTAINERS = List.of("containers", "initContainers");

    private ImmutableRules() {}

    static void check(String type, JsonNode old, Value object) {
        Value spec = object.at("spec");
        JsonNode oldSpec = old.path("spec");
        switch (type) {
            case "statefulsets.apps" ->
                    spec.forbiddenIf(!without(oldSpec, OF_A_STATEFUL_SET).equals(without(spec.node(), OF_A_STATEFUL_SET)),
                            "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy',"
                            + " 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden");
            case "jobs.batch" -> {
                OF_A_JOB.stream().filter(field -> !same(oldSpec.path(field), spec.at(field).node()))
                        .forEach(field -> spec.at(field).invalid("field is immutable"));
                spec.at("completions").invalidIf(!spec.at("completionMode").has("Indexed") && !same(oldSpec.path("completions"),
                        spec.at("completions").node()), "field is immutable");
            }
            case "deployments.apps", "replicasets.apps" -> unchanged(oldSpec.path("selector"), spec.at("selector"));
            case "controllerrevisions.apps" -> unchanged(old.path("data"), object.at("data"));
            case "resourcequotas" -> unchanged(oldSpec.path("scopes"), spec.at("scopes"));
            case "csidrivers.storage.k8s.io" -> {
                unchanged(oldSpec.path("attachRequired"), spec.at("attachedRequired").with(spec.at("attachRequired").node()));
                unchanged(oldSpec.path("volumeLifecycleModes"), spec.at("volumeLifecycleModes"));
            }
            case "persistentvolumes" -> volume(oldSpec, object, spec);
            case "pods" -> pod(oldSpec, spec);
            case "persistentvolumeclaims" -> claim(old, object);
            case "services" -> service(oldSpec, spec);
            case "secrets", "configmaps" -> data(old, object);
            case "rolebindings.rbac.authorization.k8s.io",
                    "clusterrolebindings.rbac.authorization.k8s.io" -> {
                Value role = object.at("roleRef");
                role.with(JsonNodeFactory.instance.objectNode().put("APIGroup", role.at("apiGroup").text())
                        .put("Kind", role.at("kind").text()).put("Name", role.at("name").text()))
                        .invalidIf(!same(old.path("roleRef"), role.node()), "cannot change roleRef");
            }
            case "priorityclasses.scheduling.k8s.io" -> object.at("value")
                    .forbiddenIf(!same(old.path("value"), object.at("value").node()), "may not be changed in an update.");
            case "nodes" -> {
                spec.at("podCIDRs").forbiddenIf(!oldSpec.path("podCIDR").asString("").isEmpty()
                        && !oldSpec.path("podCIDR").equals(spec.at("podCIDR").node()),
                        "node updates may not change podCIDR except from \"\" to valid");
                Stream.of("externalID", "providerID").filter(field -> field.equals("externalID") || oldSpec.hasNonNull(field))
                        .filter(field -> !same(oldSpec.path(field), spec.at(field).node())).forEach(field -> spec.at(field)
                                .forbidden("node updates may not change " + field + " except from \"\" to valid"));
            }
            default -> { }
        }
    }

    private static boolean same(JsonNode old, JsonNode value) {
        return old.equals(value) || old.isMissingNode() && value.isNull() || old.isNull() && value.isMissingNode();
    }

    static void unchanged(JsonNode old, Value value) {
        value.invalidIf(!same(old, value.node()), "field is immutable");
    }

    private static void volume(JsonNode old, Value object, Value spec) {
        Set<String> sources = Messages.builtIn().inJson("v1.PersistentVolumeSource").keySet();
        spec.at("persistentvolumesource").forbiddenIf(!sources.stream().allMatch(source -> same(old.path(source), spec.at(source).node())),
                "spec.persistentvolumesource is immutable after creation");
        unchanged(old.path("volumeMode"), object.at("volumeMode").with(spec.at("volumeMode").node()));
        object.at("nodeAffinity").with(spec.at("nodeAffinity").node()).invalidIf(old.has("nodeAffinity")
                && !same(old.path("nodeAffinity"), spec.at("nodeAffinity").node()),
                "field is immutable, except for updating from beta label to GA");
    }

    private static ObjectNode without(JsonNode spec, Set<String> fields) {
        ObjectNode rest = spec instanceof ObjectNode object ? object.deepCopy() : JsonNodeFactory.instance.objectNode();
        rest.remove(fields);
        return rest;
    }

    private static void data(JsonNode old, Value object) {
        if (old.path("immutable").asBoolean(false)) {
            for (String field : List.of("immutable", "data", "binaryData")) {
                object.at(field).forbiddenIf(!same(old.path(field), object.at(field).node()), "field is immutable when `immutable` is set");
            }
        }
    }

    private static void service(JsonNode old, Value spec) {
        spec.at("loadBalancerClass").invalidIf(old.path("type").asString("").equals("LoadBalancer") && spec.at("type").has("LoadBalancer")
                && !same(old.path("loadBalancerClass"), spec.at("loadBalancerClass").node()), "may not change once set");
        JsonNode address = old.path("clusterIP");
        boolean external = old.path("type").asString("").equals("ExternalName") || spec.at("type").has("ExternalName");
        Value addresses = spec.at("clusterIPs").key("0").with(spec.at("clusterIPs").isSet() ? spec.at("clusterIPs").node()
                : JsonNodeFactory.instance.arrayNode().add(spec.at("clusterIP").text()));
        boolean kept = spec.at("clusterIP").isEmpty() && spec.at("clusterIPs").isEmpty(); // the server fills in the old one
        addresses.invalidIf(!external && !kept && !address.asString("").isEmpty() && !address.equals(spec.at("clusterIP").node()),
                "may not change once set");
    }

    private static void claim(JsonNode old, Value object) {
        ObjectNode before = without(old.path("spec"), Set.of("volumeAttributesClassName"));
        ObjectNode after = without(object.at("spec").node(), Set.of("volumeAttributesClassName"));
        if (!before.has("volumeName")) {
            after.remove("volumeName");
        }
        if (object.at("status", "phase").has("Bound")) {
            List.of(before, after).forEach(spec -> {
                if (spec.path("resources").path("requests") instanceof ObjectNode requests) {
                    requests.remove("storage");
                }
            });
        }
        object.at("spec").forbiddenIf(!before.equals(after),
                "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound" + " claims");
    }

    private static void pod(JsonNode old, Value spec) {
        for (String list : CONTAINERS) {
            if (old.path(list).size() != spec.at(list).node().size()) {
                spec.at(list).forbidden("pod updates may not add or remove containers");
                return;
            }
        }
        Value deadline = spec.at("activeDeadlineSeconds");
        if (deadline.isSet() && old.has("activeDeadlineSeconds") && deadline.number() > old.path("activeDeadlineSeconds").asLong()) {
            deadline.invalid("must be less than or equal to previous value");
            return;
        }
        deadline.with(MissingNode.getInstance()).invalidIf(!deadline.isSet() && old.has("activeDeadlineSeconds"),
                "must not update from a positive integer to nil value");
        Set<JsonNode> tolerations = new HashSet<>();
        spec.at("tolerations").items().forEach(toleration -> tolerations.add(without(toleration.node(), Set.of("tolerationSeconds"))));
        spec.at("tolerations").forbiddenIf(!old.path("tolerations").valueStream().allMatch(each -> tolerations.contains(without(each,
                Set.of("tolerationSeconds")))), "existing toleration can not be modified except its tolerationSeconds");
        if (!fixed(old).equals(fixed(spec.node()))) {
            spec.forbidden("pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
                    + "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
                    + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)");
        }
    }

    /** The part of a pod's specification that never changes. */
    private static ObjectNode fixed(JsonNode spec) {
        ObjectNode fixed = without(spec, Set.of("activeDeadlineSeconds", "tolerations", "schedulingGates", "ephemeralContainers"));
        CONTAINERS.forEach(list -> fixed.path(list).forEach(container -> {
            if (container instanceof ObjectNode object) {
                object.remove("image");
            }
        }));
        return fixed;
    }
}
