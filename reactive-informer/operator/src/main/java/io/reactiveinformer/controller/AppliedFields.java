package io.reactiveinformer.controller;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields of an object that one manager has applied: as the server lists them in {@code metadata.managedFields}, and their values in a
 * state of the object.
 *
 * <p>In {@code fieldsV1}, {@code f:name} is a property, {@code k:{"name":"web"}} an element of a list with these keys, {@code v:"x"} an
 * element of a set, {@code i:0} the element at an index, {@code .} the value that contains it; an empty object stands for the whole value.
 *
 * @see <a href="https://github.com/kubernetes-sigs/structured-merge-diff">structured-merge-diff, which defines the format</a>
 */
final class AppliedFields {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final JsonMapper SORTED = JsonMapper.builder().enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED).build();
    private static final int DIGEST = 16;

    private AppliedFields() {}

    static JsonNode tree(byte[] json) {
        return JSON.readTree(json);
    }

    /** The {@code fieldsV1} of what {@code manager} has applied in this version of the API; null if it has applied nothing. */
    static @Nullable String of(JsonNode object, String manager, String apiVersion) {
        for (JsonNode entry : object.path("metadata").path("managedFields")) {
            if (text(entry, "manager").equals(manager) && text(entry, "operation").equals("Apply")
                    && text(entry, "subresource").isEmpty() && text(entry, "apiVersion").equals(apiVersion)) {
                return entry.path("fieldsV1").toString();
            }
        }
        return null;
    }

    private static String text(JsonNode object, String property) {
        return object.path(property).asString("");
    }

    /** A digest of the values that {@code object} has in {@code fields}. */
    static String values(JsonNode object, String fields) {
        JsonNode mask = JSON.readTree(fields);
        return digest(mask.isEmpty() ? mask : extract(object, mask));
    }

    /** A digest of an object to be applied, without what names it. */
    static String values(JsonNode desired) {
        return digest(content(desired));
    }

    /** Without what names it: the server does not list that as applied. */
    private static ObjectNode content(JsonNode desired) {
        ObjectNode content = desired.deepCopy().asObject();
        content.remove(List.of("apiVersion", "kind"));
        if (content.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove(List.of("name", "namespace", "uid", "resourceVersion"));
            if (metadata.isEmpty()) {
                content.remove("metadata");
            }
        }
        return content;
    }

    /**
     * Whether {@code live} is what the server makes of {@code desired}. It lists each field that was sent, but stores none that is a zero
     * value in its types, such as {@code paused: false}: a listed field that the object lacks has been stored. When somebody else removes a
     * field, the server removes it from the list, too.
     *
     * @param fields those that the manager owns in {@code live}
     */
    static boolean isStored(JsonNode desired, JsonNode live, String fields) {
        ObjectNode content = content(desired);
        JsonNode mask = JSON.readTree(fields);
        return mask.isEmpty() ? content.isEmpty() : isStored(content, live, mask);
    }

    private static boolean isStored(JsonNode desired, @Nullable JsonNode live, JsonNode mask) {
        if (live == null || live.isNull()) {
            return isZero(desired);
        } else if (desired instanceof ObjectNode object && live instanceof ObjectNode stored) {
            return object.properties().stream().allMatch(property -> {
                JsonNode inner = mask.isEmpty() ? mask : mask.get("f:" + property.getKey());
                return inner != null && isStored(property.getValue(), stored.get(property.getKey()), inner);
            }) && stored.propertyNames().stream().allMatch(name -> object.has(name) || !mask.isEmpty() && !mask.has("f:" + name));
        } else if (desired instanceof ArrayNode array && live instanceof ArrayNode stored) {
            List<Element> ours = elements(stored, mask);
            return array.size() == ours.size() && IntStream.range(0, ours.size())
                    .allMatch(i -> isStored(array.get(i), ours.get(i).value, ours.get(i).mask));
        }
        return isSame(desired, live);
    }

    /**
     * Compares JSON as the server stores it: a number is its value, so that {@code 3.0} is {@code 3}, and a null in an object
     * is no property. The server reads a number without point and exponent as an integer of 64 bits, if it fits, and any other
     * as a double.
     *
     * @param one null for a property that is not there
     */
    static boolean isSame(@Nullable JsonNode one, @Nullable JsonNode other) {
        if (one == null || other == null || one.isNull() || other.isNull()) {
            return isNothing(one) && isNothing(other);
        } else if (one.isNumber() && other.isNumber()) {
            return one.isIntegralNumber() && one.canConvertToLong() && other.isIntegralNumber() && other.canConvertToLong()
                    ? one.longValue() == other.longValue() : one.doubleValue() == other.doubleValue();
        } else if (one.isObject() && other.isObject()) {
            return one.propertyNames().stream().allMatch(name -> isSame(one.get(name), other.get(name)))
                    && other.propertyNames().stream().allMatch(name -> one.has(name) || isNothing(other.get(name)));
        } else if (one.isArray() && other.isArray()) {
            return one.size() == other.size()
                    && IntStream.range(0, one.size()).allMatch(i -> isSame(one.get(i), other.get(i)));
        }
        return one.equals(other);
    }

    private static boolean isNothing(@Nullable JsonNode value) {
        return value == null || value.isNull();
    }

    private static boolean isZero(JsonNode value) {
        return value.isObject() ? value.valueStream().allMatch(AppliedFields::isZero)
                : value.isArray() ? value.isEmpty()
                : value.isNull() || value.isBoolean() && !value.booleanValue() || value.isNumber() && value.doubleValue() == 0
                        || value.isString() && value.stringValue().isEmpty();
    }

    private static JsonNode extract(JsonNode value, JsonNode mask) {
        if (mask.isEmpty()) {
            return value;
        } else if (value instanceof ObjectNode object) {
            ObjectNode found = object.objectNode();
            mask.forEachEntry((name, inner) -> {
                JsonNode property = name.startsWith("f:") ? object.get(name.substring(2)) : null;
                if (property != null) {
                    found.set(name.substring(2), extract(property, inner));
                }
            });
            return found;
        } else if (value instanceof ArrayNode array) {
            ArrayNode found = array.arrayNode();
            elements(array, mask).forEach(each -> found.add(extract(each.value, each.mask)));
            return found;
        }
        return value;
    }

    /** An element of a list, and the fields in it that the manager has applied. */
    private record Element(JsonNode value, JsonNode mask) {}

    /** The elements that the manager has applied. */
    private static List<Element> elements(ArrayNode array, JsonNode mask) {
        List<Element> applied = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
            JsonNode inner = mask.isEmpty() ? mask : element(array.get(i), i, mask);
            if (inner != null) {
                applied.add(new Element(array.get(i), inner));
            }
        }
        return applied;
    }

    /** The fields of an element of a list; null if the manager has not applied it. */
    private static @Nullable JsonNode element(JsonNode element, int index, JsonNode mask) {
        JsonNode found = element(element, index, mask, false);
        return found != null ? found : element(element, index, mask, true);
    }

    /** @param defaults whether the element may lack a key: the server lists its default, such as {@code protocol: TCP}, all the same */
    private static @Nullable JsonNode element(JsonNode element, int index, JsonNode mask, boolean defaults) {
        for (var entry : mask.properties()) {
            String name = entry.getKey();
            boolean its = name.startsWith("k:") && has(element, JSON.readTree(name.substring(2)), defaults)
                    || name.startsWith("v:") && element.equals(JSON.readTree(name.substring(2)))
                    || name.equals("i:" + index);
            if (its) {
                return entry.getValue();
            }
        }
        return null;
    }

    private static boolean has(JsonNode element, JsonNode keys, boolean defaults) {
        return keys.properties().stream().anyMatch(key -> element.has(key.getKey()))
                && keys.properties().stream().allMatch(key -> element.has(key.getKey())
                        ? key.getValue().equals(element.get(key.getKey())) : defaults);
    }

    /** A digest of a value. The order of properties does not count. */
    static String digest(JsonNode value) {
        try {
            byte[] sorted = SORTED.writeValueAsBytes(value);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(sorted), 0, DIGEST);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible); // each platform has it
        }
    }
}
