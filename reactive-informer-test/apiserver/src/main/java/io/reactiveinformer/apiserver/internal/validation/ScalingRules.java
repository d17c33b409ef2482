package io.reactiveinformer.apiserver.internal.validation;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** The rules of what limits numbers of pods and amounts: autoscalers, disruption budgets, quotas, ranges, priorities. */
final class ScalingRules {

    private static final int HIGHEST_PRIORITY = 1_000_000_000;
    private static final List<String> COMPUTE = List.of("cpu", "memory", "ephemeral-storage");
    private static final List<String> COUNTED = List.of("pods", "resourcequotas", "services", "replicationcontrollers", "secrets",
            "configmaps", "persistentvolumeclaims", "services.nodeports", "services.loadbalancers");
    private static final List<String> SCOPES = List.of("Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "PriorityClass",
            "CrossNamespacePodAffinity", "VolumeAttributesClass");
    private static final Map<String, String> METRICS = Map.of("Object", "object", "Pods", "pods", "Resource", "resource", "External",
            "external", "ContainerResource", "containerResource");

    /** The sources of metrics in the order in which they are checked. */
    private static final List<String> METRIC_SOURCES = List.of("object", "external", "pods", "resource", "containerResource");

    private static final Map<String, String> RANGES = Map.of("min", "min", "max", "max", "default", "default limit", "defaultRequest",
            "default request");

    private ScalingRules() {}

    static void autoscaler(Value spec) {
        Value least = spec.at("minReplicas");
        Value most = spec.at("maxReplicas");
        least.invalidIf(least.isSet() && least.number() < 1, "must be greater than or equal to 1");
        most.requiredIf(most.number() == 0, "must be set and greater than 0");
        most.invalidIf(most.number() < 0, "must be greater than or equal to 1");
        most.with(IntNode.valueOf((int) most.number())).invalidIf(least.isSet() && most.number() < least.number(),
                "must be greater than or equal to `minReplicas`");
        spec.at("scaleTargetRef", "apiVersion").invalidIf(!spec.at("scaleTargetRef", "apiVersion").text().contains("/"),
                "apiVersion must specify API group");
        for (Value metric : spec.at("metrics").items()) {
            String part = METRICS.get(metric.at("type").text());
            metric.at("type").require("must specify a metric source type");
            if (part == null) {
                metric.at("type").unsupported(METRICS.keySet().stream().sorted().toList());
            } else {
                metric.at(part).requiredIf(!metric.at(part).isSet(), "must populate information for the given metric source");
            }
            List<String> given = METRIC_SOURCES.stream().filter(each -> metric.at(each).isSet()).toList();
            given.stream().limit(1).forEach(each -> target(each, metric.at(each, "target")));
            given.stream().filter(each -> part != null && !each.equals(part))
                    .forEach(each -> metric.at(each).forbidden("must populate the given metric source only"));
            Value name = metric.at("containerResource", "name");
            if (given.indexOf("containerResource") == 0 && !name.isEmpty()) {
                PodRules.resource(name, name.text());
            }
        }
    }

    private static void target(String part, Value target) {
        Value type = target.at("type");
        type.require("must specify a metric target type");
        type.invalidIf(!List.of("Utilization", "Value", "AverageValue").contains(type.text()),
                "must be either Utilization, Value, or AverageValue");
        Stream.of("value", "averageValue").map(target::at).filter(value -> value.isSet() && value.quantity().signum() <= 0)
                .forEach(value -> value.invalid("must be positive"));
        target.at("averageUtilization").invalidIf(target.at("averageUtilization").isSet() && target.at("averageUtilization").number() < 1,
                "must be greater than 0");
        boolean average = target.at("averageValue").isSet();
        if (part.endsWith("esource")) {
            if (!average && !target.at("averageUtilization").isSet()) {
                target.at("averageUtilization").required("must set either a target raw value or a target utilization");
            } else if (average && target.at("averageUtilization").isSet()) {
                target.at("averageValue").forbidden("may not set both a target raw value and a target utilization");
            }
        } else if (!average && (part.equals("pods") || !target.at("value").isSet())) {
            target.at("averageValue").required(part.equals("pods") ? "must specify a positive target averageValue"
                    : part.equals("object") ? "must set either a target value or averageValue"
                    : "must set either a target value for metric or a per-pod target");
        } else if (average && part.equals("external") && target.at("value").isSet()) {
            target.at("value").forbidden("may not set both a target value for metric and a per-pod target");
        }
    }

    static void disruptionBudget(Value spec) {
        if (spec.at("minAvailable").isSet() && spec.at("maxUnavailable").isSet()) {
            ObjectNode internal = JsonNodeFactory.instance.objectNode();
            for (String field : List.of("minAvailable", "selector", "maxUnavailable", "unhealthyPodEvictionPolicy")) {
                internal.set(Character.toUpperCase(field.charAt(0)) + field.substring(1),
                        spec.at(field).isSet() ? spec.at(field).node() : NullNode.instance);
            }
            spec.with(internal).invalid("minAvailable and maxUnavailable cannot be both set");
        }
        countOrPercent(spec.at("minAvailable"), true);
        countOrPercent(spec.at("maxUnavailable"), true);
    }

    /** @param limited whether 100 % is the most */
    static void countOrPercent(Value value, boolean limited) {
        if (value.node().isNumber() && value.number() < 0) {
            value.invalid("must be greater than or equal to 0");
        } else if (value.node().isString() && !value.text().matches("[0-9]+%")) {
            value.invalid("a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for"
                    + " validation is '[0-9]+%')");
        } else if (value.node().isString() && limited && Long.parseLong(value.text().replace("%", "")) > 100) {
            value.invalid("must not be greater than 100%");
        }
    }

    static boolean isNone(Value value) {
        return value.isSet() && value.text().matches("0+%?");
    }

    static void quota(Value spec) {
        for (Value hard : spec.at("hard").entries()) {
            String name = hard.lastKey();
            Value shown = hard.with(StringNode.valueOf(name));
            List<String> wrong = Names.key(name);
            shown.invalid(wrong);
            if (wrong.isEmpty() && !name.contains("/") && !isQuota(name)) {
                shown.invalidIf(!isStandard(name), "must be a standard resource type or fully qualified");
                shown.invalid("must be a standard resource for quota");
            }
            amount(hard, COUNTED.contains(name));
        }
        for (Value term : spec.at("scopeSelector", "matchExpressions").items()) {
            Value terms = spec.at("scopeSelector", "matchExpressions"); // the server leaves out the index
            terms.at("scopeName").with(term.at("scopeName").node()).invalidIf(!SCOPES.contains(term.at("scopeName").text()),
                    "unsupported scope");
            Value operator = terms.at("operator").with(term.at("operator").node());
            boolean named = List.of("PriorityClass", "VolumeAttributesClass").contains(term.at("scopeName").text());
            operator.invalidIf(SCOPES.contains(term.at("scopeName").text()) && !named && !operator.has("Exists"),
                    "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating,"
                    + " ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity");
            boolean listed = List.of("In", "NotIn").contains(operator.text());
            if (listed && term.at("values").isEmpty()) {
                terms.at("values").required("must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
            } else if (!listed && !List.of("Exists", "DoesNotExist").contains(operator.text())) {
                operator.invalid("not a valid selector operator");
            } else if (!listed && !term.at("values").isEmpty()) {
                terms.at("values").with(term.at("values").node()).invalid("must be no value when `operator` is 'Exists' or"
                        + " 'DoesNotExist' for scope selector");
            }
        }
        List<String> scopes = spec.at("scopes").items().stream().map(Value::text).toList();
        spec.at("scopes").invalidIf(scopes.containsAll(List.of("BestEffort", "NotBestEffort")) || scopes.containsAll(List.of("Terminating",
                "NotTerminating")), "conflicting scopes");
        spec.at("scopes").invalidIf(!SCOPES.containsAll(scopes), "unsupported scope");
    }

    /** Whether this is one of Kubernetes' own resources. */
    static boolean isStandard(String name) {
        return name.equals("storage") || isQuota(name);
    }

    private static boolean isQuota(String name) {
        String plain = name.replaceFirst("^(requests|limits)\\.", "");
        return COUNTED.contains(name) || COMPUTE.contains(plain) || name.equals("requests.storage") || plain.startsWith("hugepages-");
    }

    private static void amount(Value amount, boolean whole) {
        amount.invalidIf(amount.quantity().signum() < 0, "must be greater than or equal to 0");
        amount.invalidIf(whole && amount.quantity().stripTrailingZeros().scale() > 0, "must be an integer");
    }

    static void ranges(Value spec) {
        spec.at("limits").unique("type");
        for (Value limit : spec.at("limits").items()) {
            Value type = limit.at("type");
            type.invalid(Names.key(type.text()));
            type.invalidIf(!type.isRefused() && !type.text().contains("/") && !List.of("Pod", "Container",
                    "PersistentVolumeClaim").contains(type.text()), "must be a standard limit type or fully qualified");
            Stream.of("default", "defaultRequest").map(limit::at).forEach(value ->
                    value.forbiddenIf(type.has("Pod") && !value.isEmpty(), "may not be specified when `type` is 'Pod'"));
            Stream.of("max", "min", "default", "defaultRequest", "maxLimitRequestRatio").flatMap(each -> limit.at(each).entries().stream())
                    .filter(amount -> !type.text().contains("/")).forEach(amount -> limited(type, amount));
            limit.at("limits").requiredIf(type.has("PersistentVolumeClaim")
                    && Stream.of("min", "max").noneMatch(bound -> limit.at(bound).key("storage").isSet()),
                    "either minimum or maximum storage value is required, but neither was provided");
            limit.at("maxLimitRequestRatio").entries().forEach(ratio -> ratio(limit, ratio));
            ordered(limit, "min", "max", "min");
            ordered(limit, "min", "defaultRequest", "defaultRequest");
            ordered(limit, "defaultRequest", "max", "defaultRequest");
            ordered(limit, "defaultRequest", "default", "defaultRequest");
            ordered(limit, "min", "default", "default");
            ordered(limit, "default", "max", "default");
        }
    }

    private static void limited(Value type, Value amount) {
        String name = amount.lastKey();
        Value shown = amount.with(StringNode.valueOf(name));
        shown.invalid(Names.key(name));
        if (Names.key(name).isEmpty() && !name.contains("/")) {
            shown.invalidIf(!isStandard(name), "must be a standard resource type or fully qualified");
            shown.invalidIf(type.text().matches("Pod|Container") && !COMPUTE.contains(name) && !name.startsWith("hugepages-"),
                    "must be a standard resource for containers");
        }
    }

    private static void ratio(Value limit, Value ratio) {
        Value low = limit.at("min").key(ratio.lastKey());
        Value high = limit.at("max").key(ratio.lastKey());
        ratio.invalidIf(ratio.quantity().compareTo(BigDecimal.ONE) < 0, "ratio " + ratio.text() + " is less than 1");
        if (low.isSet() && high.isSet() && ratio.quantity().doubleValue() > high.quantity().doubleValue() / low.quantity().doubleValue()) {
            ratio.invalid("ratio " + ratio.text() + " is greater than max/min = " + String.format(Locale.ROOT, "%f",
                    high.quantity().doubleValue() / low.quantity().doubleValue()));
        }
    }

    private static void ordered(Value limit, String low, String high, String field) {
        for (Value value : limit.at(low).entries()) {
            Value other = limit.at(high).key(value.lastKey());
            limit.at(field).key(value.lastKey()).with(value.node()).invalidIf(other.isSet()
                    && value.quantity().compareTo(other.quantity()) > 0, RANGES.get(low) + " value " + value.text() + " is greater than "
                    + RANGES.get(high) + " value " + other.text());
        }
    }

    static void priorityClass(Value object) {
        Value name = object.at("metadata", "name");
        if (name.text().startsWith("system-") && !List.of("system-cluster-critical", "system-node-critical").contains(name.text())) {
            name.forbidden("priority class names with 'system-' prefix are reserved for system use only. error: " + name.text()
                    + " is not a known system priority class");
        } else if (!name.text().startsWith("system-") && object.at("value").number() > HIGHEST_PRIORITY) {
            object.at("value").forbidden("maximum allowed value of a user defined priority is " + HIGHEST_PRIORITY);
        }
    }
}
