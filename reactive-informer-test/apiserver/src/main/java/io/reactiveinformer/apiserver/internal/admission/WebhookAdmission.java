package io.reactiveinformer.apiserver.internal.admission;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.cluster.Admission;
import io.reactiveinformer.apiserver.internal.cluster.Admission.Attributes;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ObjectForm;
import io.reactiveinformer.apiserver.internal.cluster.WebhookCall;
import io.reactiveinformer.apiserver.internal.patch.JsonPatch;
import io.reactiveinformer.apiserver.internal.patch.PatchException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The policies and webhooks of one request. It remembers the replies while the request begins anew, so each of them is called once for one state of an
 * object.
 *
 * @see <a href="https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/">Dynamic admission control</a>
 */
public final class WebhookAdmission implements Admission {

    private final AdmissionRequest request;
    private final Map<String, WebhookCall.Reply> replies = new HashMap<>();
    private final Map<String, String> madeUp = new HashMap<>();
    private final Set<String> warnings = new LinkedHashSet<>();
    private final PolicyAdmission policies;

    /** @param user who sends the request: {@code username} and {@code groups} */
    public WebhookAdmission(Cluster cluster, ApiRequest request, ObjectNode user) {
        this.request = new AdmissionRequest(cluster, request, user);
        this.policies = new PolicyAdmission(this.request);
    }

    /** What policies and webhooks want the client to be told. */
    public List<String> warnings() {
        return Stream.concat(policies.warnings().stream(), warnings.stream()).distinct().toList();
    }

    @Override
    public void warn(String warning) {
        warnings.add(warning);
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
                String version = webhook.version(request, write, write.operation().equals("DELETE") ? null : now);
                if (version.isEmpty()) {
                    continue;
                }
                ObjectNode changed = mutate(webhook, version, round, write, now);
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

    private ObjectNode mutate(Webhook webhook, String version, int round, Attributes write, ObjectNode object) {
        boolean deletion = write.operation().equals("DELETE");
        JsonNode response = response(webhook, version, round, write, deletion ? null : object);
        if (!response.hasNonNull("patch")) {
            return object;
        }
        JsonNode operations;
        try {
            operations = Json.read(response.path("patch").binaryValue());
        } catch (JacksonException failure) {
            failed(webhook, "received undecodable patch in webhook response: " + failure.getOriginalMessage());
            return object;
        }
        if (operations.isEmpty()) {
            return object;
        }
        if (deletion) {
            throw ApiFailure.internal("admission webhook \"" + webhook.name()
                    + "\" attempted to modify the object, which is not supported for this operation");
        }
        if (!Json.text(response, "patchType").equals("JSONPatch")) {
            failed(webhook, "unsupported patch type \"" + Json.text(response, "patchType") + "\"");
            return object;
        }
        try {
            var type = write.target().type();
            JsonNode patched = JsonPatch.apply(ObjectForm.inVersion(type, object, version), operations);
            return write.settled().apply(ObjectForm.order(type, ObjectForm.inVersion(type, (ObjectNode) patched, request.request().version())));
        } catch (PatchException failure) {
            throw ApiFailure.internal(String.valueOf(failure.getMessage()));
        }
    }

    @Override
    public void validate(Attributes write, @Nullable ObjectNode object) {
        policies.validate(write, object);
        List<ApiFailure> refusals = new ArrayList<>();
        for (Webhook webhook : webhooks("validatingwebhookconfigurations")) {
            try {
                response(webhook, webhook.version(request, write, object), 0, write, object);
            } catch (ApiFailure refusal) {
                refusals.add(refusal);
            }
        }
        if (!refusals.isEmpty()) {
            throw refusals.get(0);
        }
    }

    private List<Webhook> webhooks(String plural) {
        return policies.objects(plural).stream().flatMap(configuration -> Webhook.of(configuration).stream()).toList();
    }

    /** The response that allows the write; missing if the webhook is not called, or has failed and that is to be ignored. */
    private JsonNode response(Webhook webhook, String version, int round, Attributes write, @Nullable ObjectNode object) {
        if (version.isEmpty()) {
            return MissingNode.getInstance();
        }
        JsonNode before = write.old() == null ? MissingNode.getInstance() : write.old().path("metadata");
        String key = String.join("/", "" + webhook.mutating(), webhook.configuration(), webhook.name(), "" + round, write.target().name(),
                Json.text(before, "uid"), Json.text(before, "resourceVersion"));
        WebhookCall.Reply reply = replies.get(key);
        if (reply == null) {
            ObjectNode asked = asked(version, write, object);
            throw new WebhookCall(webhook.json().path("clientConfig"), "admission.k8s.io/v1", "AdmissionReview", asked,
                    webhook.json().path("timeoutSeconds").asInt(10), got -> {
                        String problem = !got.failure().isEmpty() ? "failed to call webhook: " + got.failure()
                                : webhook.problem(Json.text(asked, "uid"), got.review());
                        replies.put(key, new WebhookCall.Reply(got.review(), problem));
                        got.review().path("response").path("warnings").forEach(warning -> warnings.add(warning.asString("")));
                    });
        }
        if (!reply.failure().isEmpty()) {
            failed(webhook, reply.failure());
            return MissingNode.getInstance();
        }
        JsonNode response = reply.review().path("response");
        if (!response.path("allowed").asBoolean(false)) {
            throw webhook.denied(response.path("status"));
        }
        return response;
    }

    private static void failed(Webhook webhook, String why) {
        if (!Json.text(webhook.json(), "failurePolicy").equals("Ignore")) {
            throw ApiFailure.internal("failed calling webhook \"" + webhook.name() + "\": " + why);
        }
    }

    private ObjectNode asked(String version, Attributes write, @Nullable ObjectNode object) {
        ObjectNode asked = request.review(write, version);
        asked.set("object", AdmissionRequest.inVersion(write, object, version));
        asked.set("oldObject", AdmissionRequest.inVersion(write, write.old(), version));
        return asked;
    }
}
