package io.reactiveinformer.test.server;

import io.reactiveinformer.test.cluster.ApiFailure;
import io.reactiveinformer.test.cluster.CustomSchema;
import io.reactiveinformer.test.cluster.ResourceDefinition;
import io.reactiveinformer.test.protobuf.ProtobufObjects;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Fields that are there twice, and fields that nobody knows: these are dropped; and whoever sent them is warned, refused, or told nothing.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/api-concepts/#setting-the-field-validation-level">Field validation</a>
 */
final class FieldValidation {

    private FieldValidation() {}

    /**
     * Drops what is unknown, and returns what to warn of.
     *
     * @param object as it was read from the request's body; changed
     * @throws ApiFailure 400 if the request wants that
     */
    static List<String> apply(ApiRequest request, ResourceDefinition type, ObjectNode object) {
        List<String> found = new ArrayList<>();
        byte[] body = request.http().body();
        boolean json = RequestBody.mediaType(request).isEmpty() || RequestBody.mediaType(request).endsWith("json");
        if (json && body != null) {
            duplicates(body).forEach(path -> found.add("duplicate field \"" + path + "\""));
        }
        List<String> unknown = type.isCustom() ? CustomSchema.prune(type, object) : ProtobufObjects.prune(object);
        unknown.forEach(path -> found.add("unknown field \"" + path + "\""));
        String level = request.query().text("fieldValidation");
        if (level.equals("Strict") && !found.isEmpty()) {
            throw ApiFailure.badRequest(type.kind() + " in version \"" + request.version() + "\" cannot be handled as a " + type.kind()
                    + ": strict decoding error: " + String.join(", ", found));
        }
        return level.equals("Ignore") ? List.of() : found;
    }

    private static List<String> duplicates(byte[] body) {
        List<String> duplicates = new ArrayList<>();
        try (JsonParser parser = JsonMapper.shared().createParser(body)) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                object(parser, "", duplicates);
            }
        }
        return duplicates;
    }

    private static void object(JsonParser parser, String path, List<String> duplicates) {
        Set<String> names = new HashSet<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = path.isEmpty() ? parser.currentName() : path + "." + parser.currentName();
            if (!names.add(name)) {
                duplicates.add(name);
            }
            value(parser, parser.nextToken(), name, duplicates);
        }
    }

    private static void value(JsonParser parser, JsonToken token, String path, List<String> duplicates) {
        if (token == JsonToken.START_OBJECT) {
            object(parser, path, duplicates);
        } else if (token == JsonToken.START_ARRAY) {
            int i = 0;
            for (JsonToken element = parser.nextToken(); element != JsonToken.END_ARRAY; element = parser.nextToken()) {
                value(parser, element, path + "[" + i++ + "]", duplicates);
            }
        }
    }
}
