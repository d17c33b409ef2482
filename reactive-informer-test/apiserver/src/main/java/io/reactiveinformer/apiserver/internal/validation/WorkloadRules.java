package io.reactiveinformer.apiserver.internal.validation;

import java.time.ZoneId;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/** The rules of what makes pods from a template: Deployments, ReplicaSets, StatefulSets, DaemonSets, Jobs, CronJobs. */
final class WorkloadRules {

    private static final Map<String, String> OWNERS =
            Map.of("deployment", "ReplicaSet", "statefulset", "StatefulSet", "daemonset", "DaemonSet");

    private WorkloadRules() {}

    /** @param word for the type in messages; ReplicaSets are called deployments */
    static void running(Value spec, String word) {
        Value selector = spec.at("selector");
        boolean valid = true;
        if (selector.isSet()) {
            int problems = selector.problems().size();
            Selectors.check(selector);
            if (Selectors.isEmpty(selector)) {
                selector.invalid("empty selector is invalid for " + word);
            } else if (selector.problems().size() > problems) {
                selector.invalidIf(!word.equals("daemonset"), word.equals("deployment") ? "invalid label selector" : "");
                valid = false;
            }
        } else {
            selector.requiredIf(!word.equals("daemonset"), "");
        }
        Value template = spec.at("template");
        Value labels = template.at("metadata", "labels");
        mismatched(valid && (!selector.isSet() || !Selectors.isEmpty(selector) && !Selectors.matches(selector, labels.node())), labels);
        template(template, spec);
        always(template, OWNERS.getOrDefault(word, ""));
        spec.at("progressDeadlineSeconds").invalidIf(spec.at("progressDeadlineSeconds").isSet()
                && spec.at("progressDeadlineSeconds").number() <= spec.at("minReadySeconds").number(),
                "must be greater than minReadySeconds");
        Value update = spec.at("updateStrategy");
        if (!List.of("", "RollingUpdate", "OnDelete").contains(update.at("type").text())) {
            if (word.equals("statefulset")) {
                internal(update).invalid("must be 'RollingUpdate' or 'OnDelete'");
            } else {
                internal(update).unsupported(List.of("RollingUpdate", "OnDelete"));
            }
        }
        Value rolling = update.at("rollingUpdate");
        if (word.equals("daemonset") && rolling.isSet()) {
            ScalingRules.countOrPercent(rolling.at("maxUnavailable"), true);
            ScalingRules.countOrPercent(rolling.at("maxSurge"), true);
            boolean none = ScalingRules.isNone(rolling.at("maxSurge"));
            boolean same = none == ScalingRules.isNone(rolling.at("maxUnavailable"));
            rolling.at("maxUnavailable").requiredIf(same && none, "cannot be 0 when maxSurge is 0");
            rolling.at("maxSurge").invalidIf(same && !none, "may not be set when maxUnavailable is non-zero");
        } else if (rolling.isSet() && update.at("type").has("OnDelete")) {
            rolling.invalid("only allowed for updateStrategy 'RollingUpdate'");
        }
        if (word.equals("deployment")) {
            strategy(spec.at("strategy"));
        }
    }

    /** As the pods will have it: with volumes for the templates of claims. */
    private static void template(Value template, Value spec) {
        if (spec.at("volumeClaimTemplates").isEmpty() || !(template.node().deepCopy() instanceof ObjectNode pod)) {
            PodRules.template(template);
            return;
        }
        Set<String> claimed = new LinkedHashSet<>();
        spec.at("volumeClaimTemplates").items().forEach(claim -> claimed.add(claim.at("metadata", "name").text()));
        ArrayNode volumes = pod.withObject("spec").putArray("volumes");
        claimed.forEach(name -> volumes.addObject().put("name", name).putObject("persistentVolumeClaim").put("claimName", name));
        template.at("spec", "volumes").items().stream().filter(volume -> !claimed.contains(volume.at("name").text()))
                .forEach(volume -> volumes.add(volume.node()));
        PodRules.template(template.with(pod));
    }

    static void statefulSet(Value spec, boolean created) {
        spec.at("podManagementPolicy").invalidIf(!List.of("", "OrderedReady", "Parallel").contains(spec.at("podManagementPolicy").text()),
                "must be 'OrderedReady' or 'Parallel'");
        if (created) {
            spec.at("volumeClaimTemplates").items().forEach(claim -> StorageRules.claim(claim.at("spec")));
        }
    }

    /** A strategy as messages show it: in the form that the server has internally. */
    private static Value internal(Value strategy) {
        return strategy.with(JsonNodeFactory.instance.objectNode().put("Type", strategy.at("type").text()).putNull("RollingUpdate"));
    }

    private static void strategy(Value strategy) {
        Value rolling = strategy.at("rollingUpdate");
        if (strategy.at("type").has("Recreate") && rolling.isSet()) {
            rolling.forbidden("may not be specified when strategy `type` is 'Recreate'");
        } else if (!strategy.at("type").isEmpty() && !strategy.at("type").has("Recreate") && !strategy.at("type").has("RollingUpdate")) {
            internal(strategy).unsupported(List.of("Recreate", "RollingUpdate"));
        } else {
            ScalingRules.countOrPercent(rolling.at("maxUnavailable"), true);
            ScalingRules.countOrPercent(rolling.at("maxSurge"), false);
            rolling.at("maxUnavailable").invalidIf(ScalingRules.isNone(rolling.at("maxUnavailable"))
                    && ScalingRules.isNone(rolling.at("maxSurge")), "may not be 0 when `maxSurge` is 0");
        }
    }

    static void job(Value spec) {
        PodRules.template(spec.at("template"));
        Value policy = spec.at("template", "spec", "restartPolicy");
        policy.requiredIf(policy.isEmpty() || policy.has("Always"), "valid values: \"OnFailure\", \"Never\"");
        Value failures = spec.at("podFailurePolicy");
        policy.invalidIf(failures.isSet() && policy.has("OnFailure"), "only \"Never\" is supported when podFailurePolicy is specified");
        Set<String> names = new HashSet<>();
        Stream.of("containers", "initContainers").forEach(list -> spec.at("template", "spec", list).items()
                .forEach(container -> names.add(container.at("name").text())));
        spec.at("managedBy").invalidIf(spec.at("managedBy").isSet() && spec.at("managedBy").require(),
                Names.domainPath(spec.at("managedBy").text()));
        for (Value rule : failures.at("rules").items()) {
            Value name = rule.at("onExitCodes", "containerName");
            name.invalidIf(name.isSet() && !names.contains(name.text()),
                    "must be one of the container or initContainer names in the pod template");
            failureRule(spec, rule);
        }
        if (spec.at("completionMode").has("Indexed")) {
            spec.at("completions").requiredIf(!spec.at("completions").isSet(), "when completion mode is Indexed");
        } else {
            Stream.of("backoffLimitPerIndex", "maxFailedIndexes", "successPolicy").map(spec::at).filter(Value::isSet)
                    .forEach(value -> value.invalid("requires indexed completion mode"));
        }
        spec.at("backoffLimitPerIndex").requiredIf(spec.at("maxFailedIndexes").isSet() && !spec.at("backoffLimitPerIndex").isSet(),
                "when maxFailedIndexes is specified");
    }

    private static void failureRule(Value spec, Value rule) {
        Value codes = rule.at("onExitCodes");
        rule.at("action").invalidIf(rule.at("action").has("FailIndex") && !spec.at("backoffLimitPerIndex").isSet(),
                "requires the backoffLimitPerIndex to be set");
        rule.invalidIf(codes.isSet() == !rule.at("onPodConditions").isEmpty(),
                codes.isSet() ? "specifying both OnExitCodes and OnPodConditions is not supported"
                : "specifying one of OnExitCodes and OnPodConditions is required");
        Value values = codes.at("values");
        values.invalidIf(codes.isSet() && values.isEmpty(), "at least one value is required");
        List<Value> items = values.items();
        for (int i = 0; i < items.size(); i++) {
            items.get(i).invalidIf(codes.at("operator").has("In") && items.get(i).number() == 0, "must not be 0 for the In operator");
            if (items.subList(0, i).stream().map(Value::number).toList().contains(items.get(i).number())) {
                items.get(i).duplicate();
            }
        }
        List<Long> numbers = items.stream().map(Value::number).toList();
        values.invalidIf(!numbers.equals(numbers.stream().sorted().toList()), "must be ordered");
    }

    /** The selector of a Job, which a CronJob's template does not have. */
    static void selected(Value spec) {
        Value selector = spec.at("selector");
        selector.requiredIf(!selector.isSet(), "");
        Value labels = spec.at("template", "metadata", "labels");
        boolean wrong = !selector.isSet() || !Selectors.matches(selector, labels.node());
        boolean generated = selector.isSet() && !spec.at("manualSelector").node().asBoolean(false);
        mismatched(wrong && !generated, labels);
        selector.invalidIf(wrong && generated, "`selector` not auto-generated");
    }

    private static void mismatched(boolean wrong, Value labels) {
        (labels.isSet() ? labels : labels.with(NullNode.instance)).invalidIf(wrong, "`selector` does not match template `labels`");
    }

    static void replicationController(Value spec) {
        Value template = spec.at("template");
        Value labels = template.at("metadata", "labels");
        spec.at("selector").require();
        if (!template.isSet()) {
            template.required("");
            return;
        }
        mismatched(!Selectors.contain(labels.node(), spec.at("selector")), labels);
        template(template, spec);
        always(template, "ReplicationController");
    }

    private static void always(Value template, String owner) {
        Value policy = template.at("spec", "restartPolicy");
        policy.oneOf("Always");
        Value deadline = template.at("spec", "activeDeadlineSeconds");
        deadline.forbiddenIf(deadline.isSet(), "activeDeadlineSeconds in " + owner + " is not Supported");
    }

    static void cronJob(Value spec) {
        Value schedule = spec.at("schedule");
        if (schedule.require()) {
            String wrong = CronSchedule.problem(schedule.text());
            schedule.invalidIf(!wrong.isEmpty(), wrong);
            schedule.invalidIf(schedule.text().contains("TZ"), "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
        }
        Value zone = spec.at("timeZone");
        if (zone.isSet() && zone.isEmpty()) {
            zone.invalid("timeZone must be nil or non-empty string");
        } else if (zone.isSet() && (zone.has("Local") || !ZoneId.getAvailableZoneIds().contains(zone.text()))) {
            zone.invalid("unknown time zone " + zone.text());
        }
        job(spec.at("jobTemplate", "spec"));
    }
}
