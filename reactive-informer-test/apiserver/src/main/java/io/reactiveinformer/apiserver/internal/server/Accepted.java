package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.protobuf.ProtobufObjects;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    private static final Map<String, Encoding> ENCODINGS = Map.of("application/json", Encoding.JSON, "application/*", Encoding.JSON,
            "*/*", Encoding.JSON, "application/yaml", Encoding.YAML, "application/vnd.kubernetes.protobuf", Encoding.PROTOBUF);
    private static final Map<String, Form> FORMS = Map.of("", Form.FULL, "Table", Form.TABLE, "PartialObjectMetadata", Form.METADATA,
            "PartialObjectMetadataList", Form.METADATA_LIST);
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
            Map<String, String> parameters = Stream.of(parts).skip(1).map(part -> part.trim().split("=", 2))
                    .collect(Collectors.toMap(pair -> pair[0], pair -> pair.length == 2 ? pair[1] : "", (first, last) -> last));
            Encoding encoding = ENCODINGS.get(parts[0].trim().toLowerCase(Locale.ROOT));
            String as = parameters.getOrDefault("as", "");
            Form form = as.isEmpty() || parameters.getOrDefault("v", "").equals("v1") ? FORMS.get(as) : null;
            if (encoding != null && form != null && isPossible(encoding, form, type, version, watch)) {
                return new Accepted(form, encoding);
            }
        }
        throw ApiFailure.of(406, "NotAcceptable", "406: Not Acceptable\n\nAvailable representations: " + CHOICES, Json.object());
    }

    /** The encoding of a refusal for a request with this header: the first supported one of its choices, whatever form they name. */
    static Encoding ofStatus(String header) {
        return Stream.of(header.split(",", -1)).map(choice -> choice.split(";", 2)[0].trim().toLowerCase(Locale.ROOT))
                .filter(ENCODINGS::containsKey).findFirst().map(ENCODINGS::get).orElse(Encoding.JSON);
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

    Representation representation(ResourceDefinition type, String version, String includeObject, Supplier<Instant> clock) {
        return switch (form) {
            case FULL -> new FullForm(type, version);
            case METADATA, METADATA_LIST -> new MetadataForm(type, version);
            case TABLE -> new TableForm(type, version, includeObject, clock);
        };
    }
}
