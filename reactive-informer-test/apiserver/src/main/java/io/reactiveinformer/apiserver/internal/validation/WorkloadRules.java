package io.reactiveinformer.apiserver.internal.validation;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;

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
                selector.invalid(word.equals("deployment") ? "invalid label selector" : "");
                valid = false;
            }
        } else if (!word.equals("daemonset")) {
            selector.required("");
        }
        Value template = spec.at("template");
        Value labels = template.at("metadata", "labels");
        if (valid && (!selector.isSet() || !Selectors.isEmpty(selector) && !Selectors.matches(selector, labels.node()))) {
            (labels.isSet() ? labels : labels.with(NullNode.instance)).invalid("`selector` does not match template `labels`");
        }
        template(template, spec);
        Value policy = template.at("spec", "restartPolicy");
        if (!policy.isEmpty() && !policy.has("Always")) {
            policy.unsupported(List.of("Always"));
        }
        Value deadline = template.at("spec", "activeDeadlineSeconds");
        if (deadline.isSet()) {
            deadline.forbidden("activeDeadlineSeconds in " + OWNERS.get(word) + " is not Supported");
        }
        if (spec.at("progressDeadlineSeconds").isSet()
                && spec.at("progressDeadlineSeconds").number() <= spec.at("minReadySeconds").number()) {
            spec.at("progressDeadlineSeconds").invalid("must be greater than minReadySeconds");
        }
        Value update = spec.at("updateStrategy");
        if (!List.of("", "RollingUpdate", "OnDelete").contains(update.at("type").text())) {
            if (word.equals("statefulset")) {
                internal(update).invalid("must be 'RollingUpdate' or 'OnDelete'");
            } else {
                internal(update).unsupported(List.of("RollingUpdate", "OnDelete"));
            }
        }
        if (word.equals("deployment")) {
            strategy(spec.at("strategy"));
        }
    }

    private static void template(Value template, Value spec) {
        Set<String> claimed = new HashSet<>();
        spec.at("volumeClaimTemplates").items().forEach(claim -> claimed.add(claim.at("metadata", "name").text()));
        PodRules.template(template, claimed);
    }

    static void statefulSet(Value spec) {
        if (!List.of("", "OrderedReady", "Parallel").contains(spec.at("podManagementPolicy").text())) {
            spec.at("podManagementPolicy").invalid("must be 'OrderedReady' or 'Parallel'");
        }
        spec.at("volumeClaimTemplates").items().forEach(claim -> StorageRules.claim(claim.at("spec")));
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
            if (ScalingRules.isNone(rolling.at("maxUnavailable")) && ScalingRules.isNone(rolling.at("maxSurge"))) {
                rolling.at("maxUnavailable").invalid("may not be 0 when `maxSurge` is 0");
            }
        }
    }

    static void job(Value spec) {
        PodRules.template(spec.at("template"), Set.of());
        Value policy = spec.at("template", "spec", "restartPolicy");
        if (policy.isEmpty() || policy.has("Always")) {
            policy.required("valid values: \"OnFailure\", \"Never\"");
        }
        boolean generated = spec.at("selector", "matchLabels").node().propertyStream()
                .anyMatch(label -> label.getKey().endsWith("controller-uid"));
        if (spec.at("selector").isSet() && !generated && !spec.at("manualSelector").node().asBoolean(false)) {
            spec.at("selector").invalid("`selector` not auto-generated");
        }
    }

    static void cronJob(Value spec) {
        Value schedule = spec.at("schedule");
        if (schedule.require()) {
            String wrong = CronSchedule.problem(schedule.text());
            if (!wrong.isEmpty()) {
                schedule.invalid(wrong);
            }
            if (schedule.text().contains("TZ")) {
                schedule.invalid("cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
            }
        }
        Value job = spec.at("jobTemplate", "spec");
        job(job);
    }
}
