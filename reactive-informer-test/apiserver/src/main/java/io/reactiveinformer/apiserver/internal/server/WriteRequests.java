package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.Query;
import io.reactiveinformer.apiserver.internal.cluster.Admission;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.DeleteOptions;
import io.reactiveinformer.apiserver.internal.cluster.FieldSelector;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.LabelSelector;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.Selection;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import io.reactiveinformer.apiserver.internal.cluster.WriteOptions;
import io.reactiveinformer.apiserver.internal.cluster.Writes;
import io.reactiveinformer.apiserver.internal.patch.JsonPatch;
import io.reactiveinformer.apiserver.internal.patch.MergePatch;
import io.reactiveinformer.apiserver.internal.patch.PatchException;
import io.reactiveinformer.apiserver.internal.patch.StrategicMergePatch;
import io.reactiveinformer.apiserver.internal.schema.Topology;
import java.io.ByteArrayOutputStream;
import java.util.Objects;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers requests that change objects: create, update, patch, delete, and subresources.
 *
 * @param admission what may change or refuse the writes
 */
record WriteRequests(Writes writes, ResourceDefinition pods, Reviews reviews, Admission admission) {

    /** Types whose deletion is answered with the object; other types' with a Status. */
    private static final Set<String> SHOWN_WHEN_DELETED = Set.of(
            "pods", "podtemplates", "services", "serviceaccounts", "persistentvolumeclaims", "persistentvolumes", "resourcequotas",
            "storageclasses.storage.k8s.io", "csinodes.storage.k8s.io", "csidrivers.storage.k8s.io", "volumeattachments.storage.k8s.io");

    Answer answer(ApiRequest request, ResourceDefinition type, Representation form) {
        return switch (request.verb()) {
            case CREATE -> create(request, type, form);
            case UPDATE -> update(request, type, form);
            case PATCH -> patch(request, type, form);
            case DELETE -> delete(request, type, form);
            case DELETECOLLECTION -> deleteAll(request, type, form);
            default -> throw ApiFailure.methodNotAllowed();
        };
    }

    static Answer single(int status, StoredObject object, Representation form) {
        var body = new ByteArrayOutputStream();
        form.single(object).forEach(body::writeBytes);
        body.write('\n');
        return Answer.json(status, body.toByteArray());
    }

    private Answer create(ApiRequest request, ResourceDefinition type, Representation form) {
        ObjectNode body = RequestBody.object(request, type);
        if (request.subresource().equals("token")) {
            return Answer.json(201, reviews.token(request, type, body));
        }
        if (request.subresource().equals("binding") || type.qualified().equals("bindings")) {
            String pod = request.name() == null ? Json.text(body, "metadata", "name") : request.name();
            writes.update(new Writes.Target(pods, request.namespace(), pod, "binding"), old -> bound(old, body), options(request));
            return created();
        }
        if (request.subresource().equals("eviction")) {
            writes.delete(type, request.namespace(), name(request),
                    deleteOptions(request.query(), body.path("deleteOptions"), Admission.NONE));
            return created();
        }
        if (!request.subresource().isEmpty()) {
            throw ApiFailure.methodNotAllowed();
        }
        if (!type.verbs().contains("get")) {
            return Answer.json(201, reviews.answer(request, type, body));
        }
        if (type.qualified().equals("certificatesigningrequests.certificates.k8s.io") && body.get("spec") instanceof ObjectNode spec) {
            spec.setAll(reviews.user(request));
        }
        var fields = new FieldValidation(request, type);
        return single(201, writes.create(type, request.namespace(), fields.sent(body), options(request)).object(), form)
                .withWarnings(fields.warnings());
    }

    private static Answer created() {
        return Answer.json(201, ApiFailure.status("Success").put("code", 201));
    }

    /** The pod bound to the node; 409 if it is bound already, as for the second of two schedulers. */
    private static ObjectNode bound(ObjectNode pod, JsonNode binding) {
        String node = Json.text(pod, "spec", "nodeName");
        if (!node.isEmpty()) {
            String name = Json.text(pod, "metadata", "name");
            throw ApiFailure.of(409, "Conflict", "Operation cannot be fulfilled on pods/binding \"" + name + "\": pod " + name
                    + " is already assigned to node \"" + node + "\"", Json.object().put("name", name).put("kind", "pods/binding"));
        }
        Json.child(pod, "spec").put("nodeName", Json.text(binding, "target", "name"));
        return pod;
    }

    private Answer update(ApiRequest request, ResourceDefinition type, Representation form) {
        ObjectNode body = RequestBody.object(request, type);
        var fields = new FieldValidation(request, type);
        fields.sent(body);
        RequestBody.checkIdentity(request, body);
        return change(request, type, form, old -> body).withWarnings(fields.warnings());
    }

    private Answer patch(ApiRequest request, ResourceDefinition type, Representation form) {
        return switch (RequestBody.mediaType(request)) {
            case "application/merge-patch+json" -> patch(request, type, form, MergePatch::apply);
            case "application/json-patch+json" -> patch(request, type, form, JsonPatch::apply);
            case "application/strategic-merge-patch+json" -> {
                if (type.isCustom()) {
                    throw ApiFailure.of(415, "UnsupportedMediaType", "the body of the request was in an unknown format - "
                            + "accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml");
                }
                Topology topology = Topology.builtIn(type.apiVersion(request.version()), type.kind());
                yield patch(request, type, form, (target, patch) -> StrategicMergePatch.apply(target, patch, topology));
            }
            case "application/apply-patch+yaml" -> apply(request, type, form);
            default -> throw ApiFailure.of(415, "UnsupportedMediaType", "415: Unsupported Media Type", Json.object());
        };
    }

    private Answer patch(ApiRequest request, ResourceDefinition type, Representation form, BinaryOperator<JsonNode> kind) {
        JsonNode patch = RequestBody.patch(request);
        var fields = new FieldValidation(request, type);
        return change(request, type, form, old -> fields.patched(old, patch, known -> patched(kind, known, patch)))
                .withWarnings(fields.warnings());
    }

    private Answer apply(ApiRequest request, ResourceDefinition type, Representation form) {
        if (request.query().text("fieldManager").isEmpty()) {
            throw ApiFailure.badRequest(
                    "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is required for apply patch");
        }
        ObjectNode wanted = RequestBody.applied(request, type);
        new FieldValidation(request, type).applied(wanted);
        var scales = new Scales(type, request.version());
        boolean isScale = request.subresource().equals("scale");
        Writes.Outcome outcome = writes.apply(
                target(request, type),
                isScale ? scales.applied(type.apiVersion(request.version()), type.kind(), wanted) : wanted,
                request.query().flag("force"),
                options(request));
        return isScale
                ? Answer.json(200, scales.of(outcome.object().tree(type, request.version())))
                : single(outcome.created() ? 201 : 200, outcome.object(), form);
    }

    private static ObjectNode patched(BinaryOperator<JsonNode> kind, ObjectNode old, JsonNode patch) {
        try {
            if (kind.apply(old.deepCopy(), patch) instanceof ObjectNode object) {
                return object;
            }
            throw ApiFailure.badRequest("a patch must leave an object");
        } catch (PatchException failure) {
            if (String.valueOf(failure.getMessage()).contains("merge key")) {
                throw ApiFailure.of(500, "", String.valueOf(failure.getMessage()));
            }
            throw ApiFailure.of(422, "Invalid", "the server rejected our request due to an error in our request", Json.object());
        }
    }

    private Answer change(
            ApiRequest request, ResourceDefinition type, Representation form, UnaryOperator<ObjectNode> change) {
        if (request.subresource().equals("scale")) {
            var scales = new Scales(type, request.version());
            Writes.Outcome outcome = writes.update(target(request, type), old -> scales.changed(old, change), options(request));
            return Answer.json(200, scales.of(outcome.object().tree(type, request.version())));
        }
        return single(200, writes.update(target(request, type), change, options(request)).object(), form);
    }

    private Answer delete(ApiRequest request, ResourceDefinition type, Representation form) {
        Writes.Outcome outcome = writes.delete(type, request.namespace(), name(request), deleteOptions(request));
        if (!outcome.gone() || SHOWN_WHEN_DELETED.contains(type.qualified())) {
            return single(200, outcome.object(), form);
        }
        ObjectNode status = ApiFailure.status("Success");
        status.set("details", ApiFailure.details(type, name(request)).put("uid", outcome.object().uid()));
        return Answer.json(200, status);
    }

    private Answer deleteAll(ApiRequest request, ResourceDefinition type, Representation form) {
        var selection = new Selection(
                request.namespace(),
                LabelSelector.parse(request.query().text("labelSelector")),
                FieldSelector.parse(request.query().text("fieldSelector"), type));
        Cluster.Listing deleted = writes.deleteAll(type, selection, deleteOptions(request));
        return Lists.bytes(deleted.objects(), new Representation.ListHead(deleted.version(), "", 0, ""), form);
    }

    private static Writes.Target target(ApiRequest request, ResourceDefinition type) {
        return new Writes.Target(type, request.namespace(), name(request), request.subresource());
    }

    private static String name(ApiRequest request) {
        return Objects.requireNonNull(request.name(), "the path names an object");
    }

    private WriteOptions options(ApiRequest request) {
        String manager = request.query().text("fieldManager");
        if (manager.isEmpty()) {
            manager = request.http().headers().first("User-Agent").orElse("unknown").split("/", 2)[0];
        }
        return new WriteOptions(request.version(), request.query().text("dryRun").equals("All"), manager,
                false, false, admission);
    }

    private DeleteOptions deleteOptions(ApiRequest request) {
        JsonNode body = request.http().body() == null || request.http().body().length == 0 ? Json.object() : RequestBody.tree(request);
        return deleteOptions(request.query(), body, admission);
    }

    static DeleteOptions deleteOptions(Query query, JsonNode body, Admission admission) {
        @Nullable Integer grace = query.integer("gracePeriodSeconds");
        if (grace == null && body.path("gracePeriodSeconds").isNumber()) {
            grace = body.path("gracePeriodSeconds").asInt();
        }
        String propagation = query.text("propagationPolicy");
        return new DeleteOptions(
                query.text("dryRun").equals("All") || body.path("dryRun").size() > 0,
                grace,
                propagation.isEmpty() ? Json.text(body, "propagationPolicy") : propagation,
                Json.text(body, "preconditions", "uid"),
                Json.text(body, "preconditions", "resourceVersion"),
                admission);
    }
}
