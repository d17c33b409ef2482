package io.reactiveinformer.apiserver.internal.admission;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.cluster.Admission;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ObjectForm;
import io.reactiveinformer.apiserver.internal.cluster.Selection;
import io.reactiveinformer.apiserver.internal.cluster.WebhookCall;
import io.reactiveinformer.apiserver.internal.patch.JsonPatch;
import io.reactiveinformer.apiserver.internal.patch.PatchException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The webhooks of one request. It remembers their replies while the request begins anew, so each of them is called once for one state of an
 * object.
 *
 * @see <a href="https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/">Dynamic admission control</a>
 */
public final class WebhookAdmission implements Admission {

    private final Cluster cluster;
    private final ApiRequest request;
    private final ObjectNode user;
    private final Map<String, WebhookCall.Reply> replies = new HashMap<>();
    private final Map<String, String> madeUp = new HashMap<>();
    private final Set<String> warnings = new LinkedHashSet<>();

    /** @param user who sends the request: {@code username} and {@code groups} */
    public WebhookAdmission(Cluster cluster, ApiRequest request, ObjectNode user) {
        this.cluster = cluster;
        this.request = request;
        this.user = user;
    }

    /** What the webhooks want the client to be told. */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    @Override
    public String once(String what, Supplier<String> made) {
        return madeUp.computeIfAbsent(what, each -> made.get());
    }

    @Override
    public ObjectNode mutate(Attributes write, ObjectNode object) {
        ObjectNode now = object;
        List<Webhook> webhooks = webhooks("mutatingwebhookconfigurations");
        Set<Webhook> before = new HashSet<>();
        Set<Webhook> again = new HashSet<>();
        for (int round = 0; round < 2; round++) {
            for (Webhook webhook : round == 0 ? webhooks : webhooks.stream().filter(again::contains).toList()) {
                ObjectNode changed = mutate(webhook, round, write, now);
                if (!changed.equals(now)) {
                    again.addAll(before);
                    now = changed;
                }
                if (Json.text(webhook.json(), "reinvocationPolicy").equals("IfNeeded")) {
                    before.add(webhook);
                }
            }
        }
        return now;
    }

    private ObjectNode mutate(Webhook webhook, int round, Attributes write, ObjectNode object) {
        boolean deletion = write.operation().equals("DELETE");
        Webhook.Match match = webhook.match(cluster, request, write, deletion ? null : object);
        JsonNode response = match == null ? null : response(webhook, match, round, write, deletion ? null : object);
        String patch = response == null ? "" : Json.text(response, "patch");
        if (match == null || response == null || patch.isEmpty()) {
            return object;
        }
        JsonNode operations;
        try {
            operations = Json.read(new String(Base64.getDecoder().decode(patch), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException | JacksonException failure) {
            return unusable(webhook, "received undecodable patch in webhook response: " + failure.getMessage(), object);
        }
        if (deletion && !operations.isEmpty()) {
            throw WebhookClient.internal("admission webhook \"" + webhook.name()
                    + "\" attempted to modify the object, which is not supported for this operation");
        }
        try {
            JsonNode patched = JsonPatch.apply(match.inVersion(object), operations);
            ObjectNode back = ObjectForm.inVersion(write.target().type(), (ObjectNode) patched, request.version());
            return write.settled().apply(ObjectForm.order(write.target().type(), back));
        } catch (PatchException failure) {
            throw WebhookClient.internal(String.valueOf(failure.getMessage()));
        }
    }

    @Override
    public void validate(Attributes write, @Nullable ObjectNode object) {
        for (Webhook webhook : webhooks("validatingwebhookconfigurations")) {
            Webhook.Match match = webhook.match(cluster, request, write, object);
            if (match != null) {
                response(webhook, match, 2, write, object);
            }
        }
    }

    private List<Webhook> webhooks(String plural) {
        List<Webhook> webhooks = new ArrayList<>();
        var type = cluster.types().find("admissionregistration.k8s.io", plural).orElseThrow();
        cluster.list(type, Selection.all(), null).objects().forEach(configuration -> configuration.tree().path("webhooks")
                .forEach(each -> webhooks.add(new Webhook(configuration.name(), plural.startsWith("mutating"), each))));
        return webhooks;
    }

    /** The response that allows the write; null if the webhook failed and its failure is to be ignored. */
    private @Nullable JsonNode response(Webhook webhook, Webhook.Match match, int round, Attributes write, @Nullable ObjectNode object) {
        String key = String.join("/", webhook.configuration(), webhook.name(), Integer.toString(round), write.target().name(),
                write.old() == null ? "" : Json.text(write.old(), "metadata", "uid") + Json.text(write.old(), "metadata", "resourceVersion"));
        WebhookCall.Reply reply = replies.get(key);
        if (reply == null) {
            ObjectNode asked = asked(match, write, object);
            throw new WebhookCall(webhook.json().path("clientConfig"), "admission.k8s.io/v1", "AdmissionReview", asked,
                    webhook.json().path("timeoutSeconds").asInt(10), got -> {
                        String problem = got.failure().isEmpty() ? webhook.problem(Json.text(asked, "uid"), got.review()) : "";
                        replies.put(key, problem.isEmpty() ? got : new WebhookCall.Reply(got.review(), problem));
                        got.review().path("response").path("warnings").forEach(warning -> warnings.add(warning.asString("")));
                    });
        }
        if (!reply.failure().isEmpty()) {
            String why = reply.failure().startsWith("received invalid") ? reply.failure() : "failed to call webhook: " + reply.failure();
            return unusable(webhook, why, null);
        }
        JsonNode response = reply.review().path("response");
        if (!response.path("allowed").asBoolean(false)) {
            throw webhook.denied(response.path("status"));
        }
        return response;
    }

    private static <T extends @Nullable Object> T unusable(Webhook webhook, String why, T ignored) {
        if (Json.text(webhook.json(), "failurePolicy").equals("Ignore")) {
            return ignored;
        }
        throw WebhookClient.internal("failed calling webhook \"" + webhook.name() + "\": " + why);
    }

    private ObjectNode asked(Webhook.Match match, Attributes write, @Nullable ObjectNode object) {
        var type = write.target().type();
        ObjectNode asked = Json.object();
        String subresource = write.target().subresource();
        for (boolean original : new boolean[] {false, true}) {
            String version = original ? request.version() : match.version();
            asked.putObject(original ? "requestKind" : "kind").put("group", type.group()).put("version", version).put("kind", type.kind());
            asked.putObject(original ? "requestResource" : "resource").put("group", type.group()).put("version", version)
                    .put("resource", type.plural());
            if (!subresource.isEmpty()) {
                asked.put(original ? "requestSubResource" : "subResource", subresource);
            }
        }
        if (!write.target().name().isEmpty()) {
            asked.put("name", write.target().name());
        }
        if (write.target().namespace() != null) {
            asked.put("namespace", write.target().namespace());
        }
        asked.put("operation", write.operation()).set("userInfo", user);
        asked.set("object", object == null ? NullNode.instance : match.inVersion(object));
        asked.set("oldObject", write.old() == null ? NullNode.instance : match.inVersion(write.old()));
        asked.put("dryRun", write.dryRun()).set("options", options(write.dryRun()));
        return asked;
    }

    private ObjectNode options(boolean dryRun) {
        String kind = switch (request.verb()) {
            case CREATE -> "CreateOptions";
            case UPDATE -> "UpdateOptions";
            case PATCH -> "PatchOptions";
            default -> "DeleteOptions";
        };
        ObjectNode options = Json.object().put("kind", kind).put("apiVersion", "meta.k8s.io/v1");
        for (String option : List.of("fieldManager", "fieldValidation", "propagationPolicy")) {
            if (!request.query().text(option).isEmpty()) {
                options.put(option, request.query().text(option));
            }
        }
        if (dryRun) {
            options.putArray("dryRun").add("All");
        }
        return options;
    }
}
