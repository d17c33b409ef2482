package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a request does, or would do, in the words of access rules.
 *
 * @param subresource empty for the object itself
 * @param namespace null for cluster-scoped resources and for all namespaces
 * @param name empty for a collection
 */
public record Action(String verb, String group, String plural, String subresource, @Nullable String namespace, String name) {

    private static final Pattern ONE_NAME = Pattern.compile("metadata\\.name==?([^,]+)");

    /** What this request does. A list or watch of one name counts as a request for that name; a namespace is within itself. */
    public static Action of(ApiRequest request) {
        Matcher selected = ONE_NAME.matcher(request.query().text("fieldSelector"));
        String name = request.name() != null ? request.name() : selected.matches() ? selected.group(1) : "";
        boolean namespace = request.group().isEmpty() && request.plural().equals("namespaces") && !name.isEmpty();
        return new Action(request.verb().toString(), request.group(), request.plural(), request.subresource(),
                namespace ? name : request.namespace(), name);
    }

    /** The action that a review asks about. */
    static Action of(JsonNode attributes) {
        String namespace = Json.text(attributes, "namespace");
        return new Action(Json.text(attributes, "verb"), Json.text(attributes, "group"), Json.text(attributes, "resource"),
                Json.text(attributes, "subresource"), namespace.isEmpty() ? null : namespace, Json.text(attributes, "name"));
    }

    /** The resource as in the rules of a role: {@code pods}, {@code pods/status}. */
    public String resource() {
        return subresource.isEmpty() ? plural : plural + "/" + subresource;
    }

    /** See {@link ApiRequest#isAbout}. */
    public boolean isAbout(String resource) {
        if (resource.equals("*")) {
            return !plural.isEmpty();
        }
        int slash = resource.indexOf('/');
        String object = slash < 0 ? resource : resource.substring(0, slash);
        String part = slash < 0 ? "" : resource.substring(slash + 1);
        int dot = object.indexOf('.');
        return plural.equals(dot < 0 ? object : object.substring(0, dot))
                && (dot < 0 || group.equals(object.substring(dot + 1)))
                && (part.equals("*") || part.equals(subresource));
    }
}
