package io.reactiveinformer.apiserver.internal.validation;

import io.reactiveinformer.internal.protobuf.Messages;
import io.reactiveinformer.internal.protobuf.Messages.Field;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.StringNode;

/** The rules of pods and of pod templates, across fields. */
final class PodRules {

    private static final List<String> CONTAINER_RESOURCES = List.of("cpu", "memory", "ephemeral-storage");
    private static final List<String> HANDLERS = List.of("exec", "httpGet", "tcpSocket", "grpc", "sleep");
    private static final List<String> PROBES = List.of("livenessProbe", "readinessProbe", "startupProbe");
    private static final List<String> SOURCES = List.of("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef");

    private static final Pattern FIELDS = Pattern.compile("metadata\\.(name|namespace|uid|labels|annotations)(\\['.+'])?"
            + "|spec\\.(nodeName|host|restartPolicy|serviceAccountName|schedulerName)|status\\.(phase|hostIPs?|podIPs?)");
    private static final Pattern FIELDS_OF_VARIABLES = Pattern.compile("metadata\\.(labels|annotations)\\['.+']|metadata.name"
            + "|metadata.namespace|metadata.uid|spec.nodeName|spec.serviceAccountName|status.hostIPs?|status.podIPs?");
    private static final Pattern FIELDS_OF_VOLUMES =
            Pattern.compile("metadata\\.(labels|annotations)(\\['.+'])?|metadata.name|metadata.namespace|metadata.uid");

    private PodRules() {}

    static void template(Value template) {
        MetadataRules.labels(template.at("labels").with(template.at("metadata", "labels").node())); // as the server itself calls them
        MetadataRules.annotations(template.at("annotations").with(template.at("metadata", "annotations").node()));
        specification(template.at("spec"));
        template.at("spec", "ephemeralContainers").forbiddenIf(!template.at("spec", "ephemeralContainers").isEmpty(),
                "ephemeral containers not allowed in pod template");
    }

    static void specification(Value spec) {
        Set<String> volumes = new HashSet<>();
        spec.at("volumes").items().forEach(volume -> volume(volume, volumes));
        if (spec.at("containers").require()) {
            spec.at("containers").items().forEach(container -> container(container, volumes));
        }
        Value.unique(spec.at("containers").items().stream().flatMap(container -> container.at("ports").items().stream())
                .filter(port -> port.at("hostPort").number() != 0).map(port -> port.at("hostPort").with(StringNode.valueOf(
                        port.at("protocol").text() + "/" + port.at("hostIP").text() + "/" + port.at("hostPort").number()))));
        Set<String> names = new HashSet<>();
        spec.at("containers").items().forEach(container -> names.add(container.at("name").text()));
        for (Value container : spec.at("initContainers").items()) {
            container(container, volumes);
            if (!names.add(container.at("name").text())) {
                container.at("name").duplicate();
            }
            PROBES.stream().map(container::at).filter(probe -> probe.isSet() && !container.at("restartPolicy").has("Always"))
                    .forEach(probe -> probe.forbidden("may not be set for init containers without restartPolicy=Always"));
        }
        for (String affinity : List.of("nodeAffinity", "podAffinity", "podAntiAffinity")) {
            spec.at("affinity", affinity, "preferredDuringSchedulingIgnoredDuringExecution").items().stream().map(term -> term.at("weight"))
                    .filter(weight -> weight.number() < 1 || weight.number() > 100)
                    .forEach(weight -> weight.with(IntNode.valueOf((int) weight.number())).invalid("must be in the range 1-100"));
        }
        spec.at("tolerations").items().forEach(PodRules::toleration);
    }

    private static void volume(Value volume, Set<String> volumes) {
        int problems = volume.problems().size();
        Value name = volume.at("name");
        Messages.builtIn().get("v1.VolumeSource").values().stream().map(Field::name).filter(source -> volume.at(source).isSet())
                .sorted(Comparator.comparing(source -> !source.equals("emptyDir"))).skip(1)
                .forEach(source -> volume.at(source).forbidden("may not specify more than 1 volume type"));
        volume.at("configMap", "name").requiredIf(volume.at("configMap").isSet() && volume.at("configMap", "name").isEmpty(), "");
        TableRules.check("v1.VolumeSource", MissingNode.getInstance(), volume);
        if (volume.at("ephemeral", "volumeClaimTemplate").isSet()) {
            StorageRules.claim(volume.at("ephemeral", "volumeClaimTemplate", "spec"));
        }
        Stream.concat(Stream.of(volume), volume.at("projected", "sources").items().stream()).map(source -> source.at("downwardAPI"))
                .flatMap(source -> source.at("items").items().stream()).forEach(item -> reference(item, FIELDS_OF_VOLUMES));
        if (name.require()) {
            name.invalid(Names.label(name.text()));
            if (volumes.contains(name.text())) {
                name.duplicate();
            } else if (volume.problems().size() == problems) {
                volumes.add(name.text());
            }
        }
    }

    private static void container(Value container, Set<String> volumes) {
        container.at("ports").items().stream().map(port -> port.at("containerPort")).forEach(port -> {
            if (port.number() == 0) {
                port.required("");
            } else {
                portOrName(port);
            }
        });
        container.at("env").items().forEach(PodRules::environment);
        environmentFrom(container.at("envFrom"));
        mounts(container.at("volumeMounts"), volumes);
        container.at("volumeDevices").items().stream().map(device -> device.at("name")).filter(name -> !volumes.contains(name.text()))
                .forEach(Value::notFound);
        resources(container.at("resources"));
        Stream.of("postStart", "preStop").map(hook -> container.at("lifecycle", hook)).filter(Value::isSet).forEach(PodRules::handlers);
        PROBES.forEach(probe -> probe(container.at(probe), !probe.equals("readinessProbe")));
    }

    private static void environment(Value variable) {
        Value from = variable.at("valueFrom");
        if (from.isSet()) {
            reference(from, FIELDS_OF_VARIABLES);
            long sources = SOURCES.stream().filter(source -> from.at(source).isSet()).count();
            Value shown = from.with(StringNode.valueOf(""));
            Stream.of("configMapKeyRef", "secretKeyRef").map(from::at).filter(Value::isSet).map(source -> source.at("name"))
                    .forEach(name -> name.invalid(Names.subdomain(name.text())));
            if (sources == 0) {
                shown.invalid("must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`");
            } else if (!variable.at("value").isEmpty()) {
                shown.invalid("may not be specified when `value` is not empty");
            } else if (sources > 1) {
                shown.invalid("may not have more than one field specified at a time");
            }
        }
    }

    /** A reference to a field of the pod, or to a resource of a container. */
    private static void reference(Value from, Pattern fields) {
        Value path = from.at("fieldRef", "fieldPath");
        boolean known = from.at("fieldRef", "apiVersion").has("v1") && FIELDS.matcher(path.text()).matches();
        if (!path.isEmpty() && !known) {
            path.invalid("error converting fieldPath: field label not supported: " + path.text());
        } else if (!path.isEmpty() && !fields.matcher(path.text()).matches()) {
            path.unsupported(List.of(fields.pattern().split("\\|", -1)));
        }
        Value resource = from.at("resourceFieldRef", "resource");
        Value divisor = from.at("resourceFieldRef", "divisor");
        if (!resource.isEmpty() && !resource.text().matches("(limits|requests)\\.(cpu|memory|ephemeral-storage|hugepages-.*)")) {
            resource.unsupported(List.of("limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu",
                    "requests.ephemeral-storage", "requests.memory"));
        } else if (!resource.isEmpty() && !divisor.has("0")
                && !divisor.text().matches(resource.text().endsWith("cpu") ? "1m?" : "1([kMGTPE]|[KMGTPE]i)?")) {
            divisor.with(resource.node()).invalid("only other divisor's values are supported with this resource");
        }
    }

    private static void environmentFrom(Value list) {
        for (Value from : list.items()) {
            List<Value> given = Stream.of("configMapRef", "secretRef").map(from::at).filter(Value::isSet).toList();
            given.forEach(source -> source.at("name").require());
            list.with(Value.NO_TEXT).invalidIf(given.size() != 1, given.isEmpty() ? "must specify one of: `configMapRef` or `secretRef`"
                    : "may not have more than one field specified at a time");
        }
    }

    private static void mounts(Value mounts, Set<String> volumes) {
        Set<String> paths = new HashSet<>();
        for (Value mount : mounts.items()) {
            mount.at("name").require();
            if (!volumes.contains(mount.at("name").text())) {
                mount.at("name").notFound();
            }
            mount.at("mountPath").invalidIf(mount.at("mountPath").require() && !paths.add(mount.at("mountPath").text()), "must be unique");
        }
    }

    private static void resources(Value resources) {
        Value limits = resources.at("limits");
        Value requests = resources.at("requests");
        limits.node().propertyNames().forEach(name -> resource(limits.key(name), name));
        for (String name : requests.node().propertyNames()) {
            resource(requests.key(name), name);
            JsonNode limit = limits.node().path(name);
            boolean overcommit = !name.contains("/") && !name.startsWith("hugepages-");
            if (limit.isMissingNode()) {
                limits.requiredIf(!overcommit, "Limit must be set for non overcommitable resources");
            } else {
                int compared = requests.key(name).quantity().compareTo(limits.key(name).quantity());
                requests.with(requests.key(name).node()).invalidIf(overcommit ? compared > 0 : compared != 0,
                        (overcommit ? "must be less than or equal to " : "must be equal to ") + name + " limit of " + limit.asString());
            }
        }
    }

    static void resource(Value amount, String name) {
        Value shown = amount.with(StringNode.valueOf(name));
        List<String> wrong = Names.key(name);
        shown.invalid(wrong);
        if (wrong.isEmpty() && !name.contains("/") && !CONTAINER_RESOURCES.contains(name) && !name.startsWith("hugepages-")) {
            shown.invalidIf(!ScalingRules.isStandard(name), "must be a standard resource type or fully qualified");
            shown.invalid("must be a standard resource for containers");
        }
        amount.invalidIf(amount.quantity().signum() < 0, "must be greater than or equal to 0");
    }

    private static void probe(Value probe, boolean succeedsOnce) {
        if (!probe.isSet()) {
            return;
        }
        handlers(probe);
        probe.at("successThreshold").invalidIf(succeedsOnce && probe.at("successThreshold").number() > 1, "must be 1");
    }

    /** Checks what a probe or a hook does: one thing. */
    private static void handlers(Value handler) {
        List<String> handlers = HANDLERS.stream().filter(each -> handler.at(each).isSet()).toList();
        handlers.stream().skip(1).forEach(each -> handler.at(each).forbidden("may not specify more than 1 handler type"));
        if (handlers.isEmpty()) {
            handler.required("must specify a handler type");
        } else if (handlers.get(0).equals("exec")) {
            handler.at("exec", "command").require();
        } else if (!handlers.get(0).equals("sleep")) {
            portOrName(handler.at(handlers.get(0), "port"));
        }
    }

    static void portOrName(Value port) {
        Value given = port.isSet() ? port : port.with(IntNode.valueOf(0));
        given.invalid(port.node().isString() ? Names.portName(port.text()) : Names.port(port.number()));
    }

    static void taints(Value taints) {
        Set<String> seen = new HashSet<>();
        taints.items().stream().filter(taint -> !seen.add(taint.at("key").text() + ":" + taint.at("effect").text()))
                .forEach(Value::duplicate);
        for (Value taint : taints.items()) {
            taint.at("key").invalid(Names.key(taint.at("key").text()));
            taint.at("value").invalid(Names.labelValue(taint.at("value").text()));
            taint.at("effect").require();
            taint.at("effect").oneOf("NoSchedule", "PreferNoSchedule", "NoExecute");
        }
    }

    static void toleration(Value toleration) {
        toleration.at("operator").invalidIf(toleration.at("key").isEmpty() && !toleration.at("operator").has("Exists"),
                "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
        toleration.at("effect").invalidIf(toleration.at("tolerationSeconds").isSet() && !toleration.at("effect").has("NoExecute"),
                "effect must be 'NoExecute' when `tolerationSeconds` is set");
        toleration.at("operator").with(toleration.at("value").node()).invalidIf(toleration.at("operator").has("Exists")
                && !toleration.at("value").isEmpty(), "value must be empty when `operator` is 'Exists'");
    }
}
