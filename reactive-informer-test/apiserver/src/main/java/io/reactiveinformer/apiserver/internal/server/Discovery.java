package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition.Subresource;
import io.reactiveinformer.apiserver.internal.cluster.Types;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers discovery requests, for groups, versions and resources: one by one as in older versions, and aggregated. */
final class Discovery {

    private static final String AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    private Discovery() {}

    static boolean wantsAggregated(String accept) {
        return Stream.of(accept.split(",", -1)).anyMatch(choice ->
                choice.contains("as=APIGroupDiscoveryList") && choice.contains("v=v2") && !choice.contains("v=v2beta1"));
    }

    /** @param core true for the core group, false for all others */
    static Answer aggregated(Types types, boolean core, String knownTag) {
        ObjectNode list = Json.object().put("kind", "APIGroupDiscoveryList").put("apiVersion", "apidiscovery.k8s.io/v2");
        list.putObject("metadata");
        ArrayNode items = list.putArray("items");
        types.groups().stream().filter(group -> group.isEmpty() == core).forEach(group -> items.add(aggregatedGroup(types, group)));
        byte[] body = Json.write(list);
        String tag = "\"" + HexFormat.of().withUpperCase().formatHex(digest("SHA-512", body)) + "\"";
        Answer answer = knownTag.equals(tag) ? new Answer(304, Answer.base(), Flux.empty()) : Answer.bytes(200, AGGREGATED, body);
        return answer.replace("Cache-Control", "public").with("ETag", tag).with("Vary", "Accept");
    }

    private static ObjectNode aggregatedGroup(Types types, String group) {
        ObjectNode item = Json.object();
        ObjectNode metadata = item.putObject("metadata");
        if (!group.isEmpty()) {
            metadata.put("name", group);
        }
        ArrayNode versions = item.putArray("versions");
        for (String version : types.versions(group)) {
            ObjectNode entry = versions.addObject().put("version", version);
            ArrayNode resources = entry.putArray("resources");
            types.in(group, version).stream()
                    .sorted(Comparator.comparing(ResourceDefinition::plural))
                    .forEach(type -> resources.add(aggregatedResource(type, version)));
            entry.put("freshness", "Current");
        }
        return item;
    }

    private static ObjectNode aggregatedResource(ResourceDefinition type, String version) {
        ObjectNode resource = Json.object().put("resource", type.plural());
        responseKind(resource, type.isCustom() ? type.group() : "", type.isCustom() ? version : "", type.kind());
        resource.put("scope", type.namespaced() ? "Namespaced" : "Cluster").put("singularResource", type.singular());
        strings(resource, "verbs", type.verbs());
        strings(resource, "shortNames", type.shortNames());
        strings(resource, "categories", type.categories());
        if (!type.subresources().isEmpty()) {
            ArrayNode subresources = resource.putArray("subresources");
            for (Subresource subresource : type.subresources().values()) {
                ObjectNode entry = subresources.addObject().put("subresource", subresource.name());
                boolean own = type.isCustom() && subresource.version().isEmpty();
                responseKind(entry, own ? type.group() : subresource.group(), own ? version : subresource.version(), subresource.kind());
                strings(entry, "verbs", subresource.verbs());
            }
        }
        return resource;
    }

    private static void responseKind(ObjectNode resource, String group, String version, String kind) {
        resource.putObject("responseKind").put("group", group).put("version", version).put("kind", kind);
    }

    static ObjectNode groups(Types types) {
        ObjectNode list = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = list.putArray("groups");
        types.groups().stream().filter(group -> !group.isEmpty()).forEach(group -> groups.add(describe(types, group)));
        return list;
    }

    static ObjectNode group(Types types, String group) {
        ObjectNode described = Json.object().put("kind", "APIGroup").put("apiVersion", "v1");
        describe(types, group).properties().forEach(field -> described.set(field.getKey(), field.getValue()));
        return described;
    }

    private static ObjectNode describe(Types types, String group) {
        ObjectNode described = Json.object().put("name", group);
        ArrayNode versions = described.putArray("versions");
        types.versions(group).forEach(version -> versions.addObject().put("groupVersion", group + "/" + version).put("version", version));
        described.set("preferredVersion", versions.get(0));
        return described;
    }

    static ObjectNode resources(Types types, String group, String version) {
        ObjectNode list = Json.object().put("kind", "APIResourceList");
        if (!group.isEmpty()) {
            list.put("apiVersion", "v1");
        }
        list.put("groupVersion", group.isEmpty() ? version : group + "/" + version);
        ArrayNode resources = list.putArray("resources");
        types.in(group, version).stream().sorted(Comparator.comparing(ResourceDefinition::plural)).forEach(type -> {
            ObjectNode resource = resource(type, type.plural(), type.singular(), "", "", type.kind(), type.verbs());
            strings(resource, "shortNames", type.shortNames());
            strings(resource, "categories", type.categories());
            if (type.verbs().contains("watch")) {
                String stored = group + "/" + type.versions().get(0) + "/" + type.kind();
                byte[] hash = digest("SHA-256", Json.utf8(stored));
                resource.put("storageVersionHash", Base64.getEncoder().encodeToString(Arrays.copyOf(hash, 8)));
            }
            resources.add(resource);
            type.subresources().values().forEach(part -> resources.add(resource(
                    type, type.plural() + "/" + part.name(), "", part.group(), part.version(), part.kind(), part.verbs())));
        });
        return list;
    }

    private static ObjectNode resource(
            ResourceDefinition type, String name, String singular, String group, String version, String kind, List<String> verbs) {
        ObjectNode resource = Json.object().put("name", name).put("singularName", singular).put("namespaced", type.namespaced());
        if (!version.isEmpty()) {
            resource.put("group", group).put("version", version);
        }
        resource.put("kind", kind);
        strings(resource, "verbs", verbs);
        return resource;
    }

    private static void strings(ObjectNode object, String field, List<String> values) {
        if (!values.isEmpty()) {
            ArrayNode array = object.putArray(field);
            values.forEach(array::add);
        }
    }

    private static byte[] digest(String algorithm, byte[] bytes) {
        try {
            return MessageDigest.getInstance(algorithm).digest(bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(algorithm.toLowerCase(Locale.ROOT) + " is part of every JDK", impossible);
        }
    }
}
