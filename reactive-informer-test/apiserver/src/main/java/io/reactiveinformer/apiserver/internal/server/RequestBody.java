package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.YamlText;
import io.reactiveinformer.apiserver.internal.protobuf.ProtobufException;
import io.reactiveinformer.apiserver.internal.protobuf.ProtobufObjects;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads and checks the bodies of requests. */
final class RequestBody {

    private static final Set<String> OBJECTS = Set.of("", "application/json", "application/yaml");
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    private RequestBody() {}

    static String mediaType(ApiRequest request) {
        return request.http().headers().first("Content-Type").orElse("").split(";", 2)[0].trim().toLowerCase(Locale.ROOT);
    }

    static JsonNode tree(ApiRequest request) {
        byte[] body = request.http().body();
        if (body == null) {
            return Json.object();
        }
        try {
            if (mediaType(request).equals(PROTOBUF)) {
                return ProtobufObjects.read(body);
            }
            if (!mediaType(request).endsWith("yaml")) {
                return Json.read(body);
            }
            List<JsonNode> documents = YamlText.read(new String(body, StandardCharsets.UTF_8));
            return documents.isEmpty() ? Json.object() : documents.get(0);
        } catch (ProtobufException failure) {
            throw ApiFailure.badRequest("the object provided is unrecognized: " + failure.getMessage());
        } catch (YamlEngineException failure) {
            throw ApiFailure.badRequest("error converting YAML to JSON: yaml: " + failure.getMessage());
        } catch (JacksonException failure) {
            throw ApiFailure.badRequest("the body of the request is not JSON: " + failure.getOriginalMessage());
        }
    }

    /** Reads a patch: a list of operations, or an object that is merged. Failures have the words of Go's decoder. */
    static JsonNode patch(ApiRequest request) {
        byte[] body = request.http().body();
        JsonNode patch;
        try {
            patch = Json.read(body == null ? new byte[0] : body);
        } catch (UnexpectedEndOfInputException failure) {
            throw ApiFailure.badRequest("unexpected end of JSON input");
        } catch (JacksonException failure) {
            return tree(request);
        }
        boolean operations = mediaType(request).equals("application/json-patch+json");
        if (operations ? patch.isArray() : patch.isObject()) {
            return patch;
        }
        String sent = patch.isBoolean() ? "bool" : patch.getNodeType().name().toLowerCase(Locale.ROOT);
        throw ApiFailure.badRequest((operations ? "error decoding patch: " : "") + "json: cannot unmarshal " + sent
                + " into Go value of type " + (operations ? "[]handlers.jsonPatchOp" : "map[string]interface {}"));
    }

    /** Reads an object of {@code type}; a missing kind or apiVersion is added. */
    static ObjectNode object(ApiRequest request, ResourceDefinition type) {
        if (!OBJECTS.contains(mediaType(request)) && (type.isCustom() || !mediaType(request).equals(PROTOBUF))) {
            throw ApiFailure.of(415, "UnsupportedMediaType", "the body of the request was in an unknown format - accepted media types"
                    + " include: application/json, application/yaml" + (type.isCustom() ? "" : ", " + PROTOBUF));
        }
        String kind = kind(request, type);
        JsonNode tree = read(request, kind);
        if (!(tree instanceof ObjectNode object)) {
            throw ApiFailure.badRequest("the object provided is unrecognized (must be of type " + kind + ")");
        }
        String expected = apiVersion(request, type);
        String apiVersion = Json.text(object, "apiVersion");
        if (!apiVersion.isEmpty() && !apiVersion.equals(expected)) {
            throw ApiFailure.badRequest(
                    "the API version in the data (" + apiVersion + ") does not match the expected API version (" + expected + ")");
        }
        String sentKind = Json.text(object, "kind");
        if (!sentKind.isEmpty() && !sentKind.equals(kind)) {
            throw ApiFailure.badRequest(
                    sentKind + " in version \"" + request.version() + "\" cannot be handled as a " + kind + ": no kind \"" + sentKind
                            + "\" is registered for this resource");
        }
        return object.put("kind", kind).put("apiVersion", expected);
    }

    /**
     * Reads an object to be applied, which must have the kind and apiVersion of the request's type.
     *
     * @throws ApiFailure 400 if it has not, has another name than the path, or has managed fields
     */
    static ObjectNode applied(ApiRequest request, ResourceDefinition type) {
        if (!(tree(request) instanceof ObjectNode wanted)) {
            throw ApiFailure.badRequest("an apply patch is an object");
        }
        String expected = apiVersion(request, type);
        String apiVersion = Json.text(wanted, "apiVersion");
        if (!apiVersion.equals(expected)) {
            throw ApiFailure.badRequest(
                    "Incorrect version specified in apply patch. Specified patch version: " + apiVersion + ", expected: " + expected);
        }
        String kind = Json.text(wanted, "kind");
        if (!kind.equals(kind(request, type))) {
            throw ApiFailure.badRequest("Incorrect kind specified in apply patch. Specified patch kind: "
                    + kind + ", expected: " + kind(request, type));
        }
        checkName(request, wanted);
        if (wanted.path("metadata").hasNonNull("managedFields")) {
            throw ApiFailure.badRequest("metadata.managedFields must be nil");
        }
        return wanted;
    }

    /** @throws ApiFailure 400 if the body names an object other than that of the path */
    static void checkName(ApiRequest request, JsonNode object) {
        String sent = Json.text(object, "metadata", "name");
        if (!sent.isEmpty() && !sent.equals(request.name())) {
            throw ApiFailure.badRequest("the name of the object (" + sent + ") does not match the name on the URL ("
                    + request.name() + ")");
        }
    }

    /** @throws ApiFailure 400 if a replacement of an object does not name it, or is of another namespace */
    static void checkIdentity(ApiRequest request, JsonNode object) {
        checkNamespace(request, object);
        if (Json.text(object, "metadata", "name").isEmpty()) {
            throw ApiFailure.badRequest("the name of the object (" + request.name()
                    + " based on URL) was undeterminable: name must be provided");
        }
        checkName(request, object);
    }

    /** @throws ApiFailure 400 if the object is of a namespace other than that of the path */
    static void checkNamespace(ApiRequest request, JsonNode object) {
        String namespace = Json.text(object, "metadata", "namespace");
        if (request.namespace() != null && !namespace.isEmpty() && !namespace.equals(request.namespace())) {
            throw ApiFailure.badRequest("the namespace of the provided object does not match the namespace sent on the request");
        }
    }

    private static String kind(ApiRequest request, ResourceDefinition type) {
        ResourceDefinition.Subresource subresource = type.subresources().get(request.subresource());
        return subresource == null ? type.kind() : subresource.kind();
    }

    private static String apiVersion(ApiRequest request, ResourceDefinition type) {
        ResourceDefinition.Subresource subresource = type.subresources().get(request.subresource());
        return subresource != null && !subresource.version().isEmpty()
                ? (subresource.group().isEmpty() ? "" : subresource.group() + "/") + subresource.version()
                : type.apiVersion(request.version());
    }

    private static JsonNode read(ApiRequest request, String kind) {
        byte[] body = request.http().body();
        boolean json = !mediaType(request).endsWith("yaml") && !mediaType(request).equals(PROTOBUF);
        try {
            return json && body != null ? Json.read(body) : tree(request);
        } catch (JacksonException failure) {
            String sent = body == null ? "" : new String(body, StandardCharsets.UTF_8);
            boolean begun = sent.startsWith("{");
            throw ApiFailure.badRequest("the object provided is unrecognized (must be of type " + kind + "): couldn't get version/kind; json"
                    + " parse error: " + (begun || sent.isEmpty() ? "unexpected end of JSON input" : "invalid character '" + sent.charAt(0)
                    + "' looking for beginning of value") + " (" + (begun ? sent : HexFormat.of().formatHex(Json.utf8(sent))) + ")");
        }
    }
}
