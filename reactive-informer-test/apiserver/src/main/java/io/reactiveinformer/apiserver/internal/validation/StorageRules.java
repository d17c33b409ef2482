package io.reactiveinformer.apiserver.internal.validation;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
        if (size > MOST_OF_DATA) {
            object.tooLong(MOST_OF_DATA);
        }
    }

    static void secret(Value object) {
        Value data = object.at("data");
        int size = 0;
        for (Value value : data.entries()) {
            value.with(StringNode.valueOf(value.lastKey())).invalid(Names.configKey(value.lastKey()));
            size += value.text().length() / 4 * 3;
        }
        if (size > MOST_OF_DATA) {
            data.tooLong(MOST_OF_DATA);
        }
        String type = object.at("type").text();
        KEYS.getOrDefault(type, List.of()).stream().map(data::key).filter(value -> !value.isSet()).forEach(value -> value.required(""));
        if (type.equals("kubernetes.io/basic-auth") && !data.key("username").isSet() && !data.key("password").isSet()) {
            data.key("username").required("");
            data.key("password").required("");
        }
        Value account = object.at("metadata", "annotations").key("kubernetes.io/service-account.name");
        if (type.equals("kubernetes.io/service-account-token") && account.isEmpty()) {
            account.required("");
        }
    }

    static void claim(Value spec) {
        Value modes = spec.at("accessModes");
        if (modes.isEmpty()) {
            modes.required("at least 1 access mode is required");
        }
        for (Value mode : modes.items()) {
            modes.with(mode.node()).oneOf("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");
        }
        if (modes.node().size() > 1 && modes.items().stream().anyMatch(mode -> mode.has("ReadWriteOncePod"))) {
            modes.forbidden("may not use ReadWriteOncePod with other access modes");
        }
        Value storage = spec.at("resources").key("storage").with(spec.at("resources", "requests", "storage").node());
        if (storage.require() && storage.quantity().signum() <= 0) {
            storage.invalid("must be greater than zero");
        }
    }
}
