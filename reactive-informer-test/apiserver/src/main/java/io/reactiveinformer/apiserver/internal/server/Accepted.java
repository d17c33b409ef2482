package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.protobuf.ProtobufObjects;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The result of an {@code Accept} header: the first of its choices that this server supports.
 *
 * @param form the form in which objects are shown
 * @param encoding the encoding of the answer
 */
record Accepted(Form form, Encoding encoding) {

    enum Form {
        FULL, METADATA, METADATA_LIST, TABLE
    }

    private static final String CHOICES = "application/json, application/yaml, application/vnd.kubernetes.protobuf, "
            + "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

    /**
     * Chooses form and encoding for a request.
     *
     * @param watch whether this is a watch, which has no YAML
     * @throws ApiFailure 406 if no choice is supported
     */
    static Accepted of(String header, ResourceDefinition type, String version, boolean watch) {
        if (header.isBlank()) {
            return new Accepted(Form.FULL, Encoding.JSON);
        }
        for (String choice : header.split(",", -1)) {
            String[] parts = choice.trim().split(";", -1);
            Map<String, String> parameters = new HashMap<>();
            for (int i = 1; i < parts.length; i++) {
                String[] pair = parts[i].trim().split("=", 2);
                parameters.put(pair[0], pair.length == 2 ? pair[1] : "");
            }
            Encoding encoding = encoding(parts[0].trim().toLowerCase(Locale.ROOT));
            Form form = form(parameters);
            if (encoding != null && form != null && isPossible(encoding, form, type, version, watch)) {
                return new Accepted(form, encoding);
            }
        }
        throw ApiFailure.of(
                406,
                "NotAcceptable",
                "406: Not Acceptable\n\nAvailable representations: " + CHOICES,
                Json.object());
    }

    /** The encoding of a refusal for a request with this header: the first supported one of its choices, whatever form they name. */
    static Encoding ofStatus(String header) {
        for (String choice : header.split(",", -1)) {
            Encoding encoding = encoding(choice.split(";", 2)[0].trim().toLowerCase(Locale.ROOT));
            if (encoding != null) {
                return encoding;
            }
        }
        return Encoding.JSON;
    }

    private static @Nullable Encoding encoding(String mediaType) {
        return switch (mediaType) {
            case "application/json", "application/*", "*/*" -> Encoding.JSON;
            case "application/yaml" -> Encoding.YAML;
            case "application/vnd.kubernetes.protobuf" -> Encoding.PROTOBUF;
            default -> null;
        };
    }

    private static @Nullable Form form(Map<String, String> parameters) {
        String as = parameters.getOrDefault("as", "");
        if (as.isEmpty()) {
            return Form.FULL;
        }
        if (!parameters.getOrDefault("v", "").equals("v1")) {
            return null;
        }
        return switch (as) {
            case "Table" -> Form.TABLE;
            case "PartialObjectMetadata" -> Form.METADATA;
            case "PartialObjectMetadataList" -> Form.METADATA_LIST;
            default -> null;
        };
    }

    private static boolean isPossible(Encoding encoding, Form form, ResourceDefinition type, String version, boolean watch) {
        return switch (encoding) {
            case JSON -> true;
            case YAML -> !watch;
            case PROTOBUF -> form == Form.METADATA
                    || form == Form.METADATA_LIST
                    || form == Form.FULL && ProtobufObjects.has(type.apiVersion(version), type.kind());
        };
    }

    Representation representation(ResourceDefinition type, String version, TableForm.Rows rows, Supplier<Instant> clock) {
        return switch (form) {
            case FULL -> new FullForm(type, version);
            case METADATA, METADATA_LIST -> new MetadataForm(type, version);
            case TABLE -> new TableForm(type, version, rows, clock);
        };
    }
}
