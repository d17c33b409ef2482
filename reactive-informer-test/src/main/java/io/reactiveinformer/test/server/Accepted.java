package io.reactiveinformer.test.server;

import io.reactiveinformer.test.cluster.ApiFailure;
import io.reactiveinformer.test.cluster.Json;
import io.reactiveinformer.test.cluster.ResourceDefinition;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** What an {@code Accept} header asks for, by the first of its choices that this server can give. */
enum Accepted {
    FULL, METADATA, METADATA_LIST, TABLE;

    private static final String CHOICES = "application/json, application/yaml, application/vnd.kubernetes.protobuf, "
            + "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

    /** @throws ApiFailure 406 if nothing of it can be given */
    static Accepted of(String header) {
        if (header.isBlank()) {
            return FULL;
        }
        for (String choice : header.split(",", -1)) {
            String[] parts = choice.trim().split(";", -1);
            Map<String, String> parameters = new HashMap<>();
            for (int i = 1; i < parts.length; i++) {
                String[] pair = parts[i].trim().split("=", 2);
                parameters.put(pair[0], pair.length == 2 ? pair[1] : "");
            }
            String media = parts[0].trim().toLowerCase(Locale.ROOT);
            if (media.equals("application/json") || media.equals("*/*") || media.equals("application/*")) {
                String as = parameters.getOrDefault("as", "");
                if (as.isEmpty()) {
                    return FULL;
                }
                if (parameters.getOrDefault("v", "").equals("v1")) {
                    switch (as) {
                        case "Table" -> {
                            return TABLE;
                        }
                        case "PartialObjectMetadata" -> {
                            return METADATA;
                        }
                        case "PartialObjectMetadataList" -> {
                            return METADATA_LIST;
                        }
                        default -> { }
                    }
                }
            }
        }
        throw ApiFailure.of(
                406,
                "NotAcceptable",
                "406: Not Acceptable\n\nAvailable representations: " + CHOICES,
                Json.object());
    }

    Representation form(ResourceDefinition type, String version, TableForm.Rows rows, Supplier<Instant> clock) {
        return switch (this) {
            case FULL -> new FullForm(type, version);
            case METADATA, METADATA_LIST -> new MetadataForm();
            case TABLE -> new TableForm(type, version, rows, clock);
        };
    }
}
