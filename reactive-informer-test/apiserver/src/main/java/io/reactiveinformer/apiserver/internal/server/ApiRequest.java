package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.transport.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request is about, as its method and path say it. Whether there is such a resource is not known here.
 *
 * @param verb get, list, watch, create, update, patch, delete, deletecollection; the lower-case method where {@code plural} is empty
 * @param group empty for the core group
 * @param version empty where the path names no resource
 * @param plural empty where the path names no resource
 * @param namespace null for none and for all
 * @param name null for a collection
 * @param subresource empty for the object itself
 */
public record ApiRequest(
        HttpRequest http,
        Query query,
        String verb,
        String path,
        String group,
        String version,
        String plural,
        @Nullable String namespace,
        @Nullable String name,
        String subresource) {

    public boolean isResource() {
        return !plural.isEmpty();
    }

    /**
     * Whether it is about this resource, in the words of RBAC and of {@link #toString}: {@code pods}, {@code deployments.apps}, {@code pods/status}.
     * Without a group it is of any group; without a subresource it is the object itself, and not {@code /status}, {@code /scale} and so on, unless
     * it says {@code pods/*}. {@code *} is every resource.
     */
    public boolean isAbout(String resource) {
        if (resource.equals("*")) {
            return isResource();
        }
        int slash = resource.indexOf('/');
        String object = slash < 0 ? resource : resource.substring(0, slash);
        String part = slash < 0 ? "" : resource.substring(slash + 1);
        int dot = object.indexOf('.');
        return plural.equals(dot < 0 ? object : object.substring(0, dot))
                && (dot < 0 || group.equals(object.substring(dot + 1)))
                && (part.equals("*") || part.equals(subresource));
    }

    public static ApiRequest of(HttpRequest http) {
        int mark = http.uri().indexOf('?');
        String path = mark < 0 ? http.uri() : http.uri().substring(0, mark);
        Query query = Query.parse(mark < 0 ? "" : http.uri().substring(mark + 1));
        List<String> steps = steps(path);
        boolean core = steps.size() >= 2 && steps.get(0).equals("api");
        boolean grouped = steps.size() >= 3 && steps.get(0).equals("apis");
        int at = core ? 2 : 3;
        if (!core && !grouped || steps.size() <= at) {
            return new ApiRequest(http, query, lowerCase(http.method()), path, "", "", "", null, null, "");
        }
        String group = core ? "" : steps.get(1);
        String version = steps.get(at - 1);
        boolean watchPath = steps.get(at).equals("watch") && steps.size() > at + 1;
        List<String> rest = steps.subList(watchPath ? at + 1 : at, steps.size());
        String namespace = null;
        if (rest.get(0).equals("namespaces") && rest.size() > 2 && !isOfNamespace(rest)) {
            namespace = rest.get(1);
            rest = rest.subList(2, rest.size());
        }
        String name = rest.size() > 1 ? rest.get(1) : null;
        String subresource = String.join("/", rest.subList(Math.min(2, rest.size()), rest.size()));
        boolean watch = watchPath || name == null && query.flag("watch");
        if (watchPath && name != null) {
            query = query.with("fieldSelector", "metadata.name=" + name);
            name = null;
        }
        return new ApiRequest(
                http, query, verb(http.method(), name, watch), path, group, version, rest.get(0), namespace, name, subresource);
    }

    /** {@code namespaces/prod/status} is about the namespace, not about statuses in it. */
    private static boolean isOfNamespace(List<String> rest) {
        return rest.size() == 3 && (rest.get(2).equals("status") || rest.get(2).equals("finalize"));
    }

    private static String verb(String method, @Nullable String name, boolean watch) {
        return switch (method) {
            case "GET", "HEAD" -> watch ? "watch" : name == null ? "list" : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> name == null ? "deletecollection" : "delete";
            default -> lowerCase(method);
        };
    }

    private static List<String> steps(String path) {
        List<String> steps = new ArrayList<>();
        for (String step : path.split("/", -1)) {
            if (!step.isEmpty()) {
                steps.add(Query.decode(step.replace("+", "%2B")));
            }
        }
        return steps;
    }

    private static String lowerCase(String method) {
        return method.toLowerCase(java.util.Locale.ROOT);
    }

    /** {@code watch pods in prod}; fit for messages. */
    @Override
    public String toString() {
        if (!isResource()) {
            return http.method() + " " + path;
        }
        return verb + " " + plural + (group.isEmpty() ? "" : "." + group) + (subresource.isEmpty() ? "" : "/" + subresource)
                + (name == null ? "" : " " + name) + (namespace == null ? "" : " in " + namespace);
    }
}
