package io.reactiveinformer.apiserver.internal.validation;

import io.reactiveinformer.internal.protobuf.Messages;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.StringNode;

/** The rules of what holds data: ConfigMaps, Secrets, claims of volumes. */
final class StorageRules {

    private static final int MOST_OF_DATA = 1024 * 1024;

    /** The keys that a Secret of a type must have. */
    private static final Map<String, List<String>> KEYS = Map.of(
            "kubernetes.io/dockercfg", List.of(".dockercfg"),
            "kubernetes.io/dockerconfigjson", List.of(".dockerconfigjson"),
            "kubernetes.io/ssh-auth", List.of("ssh-privatekey"),
            "kubernetes.io/tls", List.of("tls.crt", "tls.key"));

    private StorageRules() {}

    static void configMap(Value object) {
        Value data = object.at("data");
        Value binary = object.at("binaryData");
        int size = 0;
        for (Value value : Stream.concat(data.entries().stream(), binary.entries().stream()).toList()) {
            value.with(StringNode.valueOf(value.lastKey())).invalid(Names.configKey(value.lastKey()));
            size += value.text().getBytes(StandardCharsets.UTF_8).length;
        }
        data.entries().stream().filter(value -> binary.key(value.lastKey()).isSet())
                .forEach(value -> value.with(StringNode.valueOf(value.lastKey())).invalid("duplicate of key present in binaryData"));
        object.tooLong(size, MOST_OF_DATA);
    }

    static void secret(Value object) {
        Value data = object.at("data");
        int size = 0;
        for (Value value : data.entries()) {
            value.with(StringNode.valueOf(value.lastKey())).invalid(Names.configKey(value.lastKey()));
            size += value.text().length() / 4 * 3;
        }
        data.tooLong(size, MOST_OF_DATA);
        String type = object.at("type").text();
        KEYS.getOrDefault(type, List.of()).stream().map(data::key).filter(value -> value.node().isMissingNode())
                .forEach(value -> value.required(""));
        if (type.equals("kubernetes.io/basic-auth") && !data.key("username").isSet() && !data.key("password").isSet()) {
            data.key("username").required("");
            data.key("password").required("");
        }
        Value account = object.at("metadata", "annotations").key("kubernetes.io/service-account.name");
        account.requiredIf(type.equals("kubernetes.io/service-account-token") && account.isEmpty(), "");
    }

    static void volume(Value spec) {
        modes(spec.at("accessModes"), "");
        Value capacity = spec.at("capacity");
        capacity.require();
        if (capacity.node().size() != 1 || !capacity.node().has("storage")) {
            (capacity.isSet() ? capacity : capacity.with(NullNode.instance)).unsupported(List.of("storage"));
        }
        capacity.entries().stream().filter(amount -> amount.quantity().signum() <= 0)
                .forEach(amount -> amount.invalid("must be greater than zero"));
        List<Value> sources = Messages.builtIn().get("v1.PersistentVolumeSource").values().stream().map(field -> spec.at(field.name()))
                .filter(Value::isSet).toList();
        sources.stream().skip(1).forEach(source -> source.forbidden("may not specify more than 1 volume type"));
        Stream.of("controllerPublishSecretRef", "nodePublishSecretRef", "controllerExpandSecretRef", "nodeExpandSecretRef")
                .map(secret -> spec.at("csi", secret)).filter(Value::isSet)
                .flatMap(secret -> Stream.of(secret.at("name"), secret.at("namespace"))).filter(Value::require)
                .forEach(part -> part.invalid(Names.subdomain(part.text())));
        spec.requiredIf(sources.isEmpty(), "must specify a volume type");
    }

    static void topologies(Value terms) {
        Set<Map<String, Set<String>>> seen = new HashSet<>();
        for (Value term : terms.items()) {
            Value expressions = term.at("matchLabelExpressions");
            for (Value expression : expressions.items()) {
                expression.at("key").invalid(Names.key(expression.at("key").text()));
                Value.unique(expression.at("values").items().stream());
            }
            expressions.unique("key");
            Map<String, Set<String>> values = new HashMap<>();
            expressions.items().forEach(each -> values.put(each.at("key").text(),
                    each.at("values").items().stream().map(Value::text).collect(Collectors.toSet())));
            if (!seen.add(values)) {
                expressions.with(StringNode.valueOf("")).duplicate();
            }
        }
    }

    static void tokens(Value requests) {
        Value.unique(requests.items().stream().map(request -> request.at("audience")));
        requests.items().stream().map(request -> request.at("expirationSeconds")).filter(time -> time.isSet() && time.number() < 600)
                .forEach(time -> time.invalid("may not specify a duration less than 10 minutes"));
    }

    static void claim(Value spec) {
        modes(spec.at("accessModes"), "at least 1 access mode is required");
        Value storage = spec.at("resources").key("storage").with(spec.at("resources", "requests", "storage").node());
        storage.invalidIf(storage.require() && storage.quantity().signum() <= 0, "must be greater than zero");
    }

    private static void modes(Value modes, String why) {
        modes.requiredIf(modes.isEmpty(), why);
        modes.forbiddenIf(modes.node().size() > 1 && modes.items().stream().anyMatch(mode -> mode.has("ReadWriteOncePod")),
                "may not use ReadWriteOncePod with other access modes");
    }
}
