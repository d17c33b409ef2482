package io.reactiveinformer.apiserver;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.server.Action;
import io.reactiveinformer.transport.HttpRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A request with the operation and resource that its method and path name. Whether the resource exists is not checked here.
 *
 * @param group empty for the core group
 * @param version empty if the path names no resource
 * @param plural empty if the path names no resource
 * @param namespace null for a cluster-scoped resource and for all namespaces
 * @param name null for a collection
 * @param subresource empty for the object itself
 */
public record ApiRequest(
        HttpRequest http,
        Query query,
        Verb verb,
        String path,
        String group,
        String version,
        String plural,
        @Nullable String namespace,
        @Nullable String name,
        String subresource) {

    /** What a request does, in the words of the server's access rules. {@link #toString} is such a word: {@code list}. */
    public enum Verb {
        /** Reads one object. */
        GET,
        /** Reads all objects of a collection, or a page of them. */
        LIST,
        /** Receives changes of a collection as they happen. */
        WATCH,
        /** Creates an object by POST. */
        CREATE,
        /** Replaces an object by PUT. */
        UPDATE,
        /** Changes parts of an object; server-side apply is one, too. */
        PATCH,
        /** Deletes one object. */
        DELETE,
        /** Deletes all objects of a collection that the selectors match. */
        DELETECOLLECTION,
        /** The HTTP method is none of those that the API has. The server refuses such a request. */
        OTHER;

        private final String text = name().toLowerCase(Locale.ROOT);

        /**
         * The verb of this word, such as {@code list}.
         *
         * @throws IllegalArgumentException if there is none
         */
        public static Verb of(String text) {
            return Arrays.stream(values())
                    .filter(verb -> verb.text.equals(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "no such verb: \"" + text + "\"; verbs are " + Arrays.toString(values())));
        }

        /** Whether requests with this verb change something: create, update, patch, delete and deletecollection. */
        public boolean isWrite() {
            return switch (this) {
                case CREATE, UPDATE, PATCH, DELETE, DELETECOLLECTION -> true;
                case GET, LIST, WATCH, OTHER -> false;
            };
        }

        @Override
        public String toString() {
            return text;
        }

        private static Verb of(String method, boolean collection, boolean watch) {
            return switch (method) {
                case "GET", "HEAD" -> watch ? WATCH : collection ? LIST : GET;
                case "POST" -> CREATE;
                case "PUT" -> UPDATE;
                case "PATCH" -> PATCH;
                case "DELETE" -> collection ? DELETECOLLECTION : DELETE;
                default -> OTHER;
            };
        }
    }

    /** The address as sent, with the query. */
    public String uri() {
        return http.uri();
    }

    /** The body; null if there is none or it is not JSON. */
    public @Nullable JsonNode body() {
        byte[] bytes = http.body();
        try {
            return bytes == null ? null : Json.read(bytes);
        } catch (JacksonException notJson) {
            return null;
        }
    }

    /** The resource as in RBAC: {@code pods}, {@code deployments.apps}, {@code pods/status}; the path if it names no resource. */
    public String resource() {
        return !isResource() ? path : plural + (group.isEmpty() ? "" : "." + group) + (subresource.isEmpty() ? "" : "/" + subresource);
    }

    /** Whether this is a watch that asks for the objects that are there, too. */
    public boolean isStreamingList() {
        return verb == Verb.WATCH && query.flag("sendInitialEvents");
    }

    /** Whether the path names a resource. */
    public boolean isResource() {
        return !plural.isEmpty();
    }

    /**
     * Whether the request is for this resource, written as in {@link #resource}. Without a group, any group matches. Without a
     * subresource, only the object itself matches, not {@code /status}, {@code /scale} and so on; {@code pods/*} matches these. {@code *}
     * matches every resource.
     */
    public boolean isAbout(String resource) {
        return Action.of(this).isAbout(resource);
    }

    /** Parses the method and path of a request. */
    public static ApiRequest of(HttpRequest http) {
        int mark = http.uri().indexOf('?');
        String path = mark < 0 ? http.uri() : http.uri().substring(0, mark);
        Query query = Query.parse(mark < 0 ? "" : http.uri().substring(mark + 1));
        List<String> steps = steps(path);
        boolean core = steps.size() >= 2 && steps.get(0).equals("api");
        boolean grouped = steps.size() >= 3 && steps.get(0).equals("apis");
        int at = core ? 2 : 3;
        if (!core && !grouped || steps.size() <= at) {
            return new ApiRequest(http, query, Verb.of(http.method(), false, false), path, "", "", "", null, null, "");
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
                http, query, Verb.of(http.method(), name == null, watch), path, group, version, rest.get(0), namespace, name, subresource);
    }

    /** Whether this is a subresource of a namespace: {@code namespaces/prod/status} is that of the namespace, not a type in it. */
    private static boolean isOfNamespace(List<String> rest) {
        return rest.size() == 3 && (rest.get(2).equals("status") || rest.get(2).equals("finalize"));
    }

    private static List<String> steps(String path) {
        return Stream.of(path.split("/", -1)).filter(step -> !step.isEmpty()).map(step -> Query.decode(step.replace("+", "%2B"))).toList();
    }

    /** The request as text: {@code list pods in prod}, {@code update deployments.apps/status web in default}, {@code get /version}. */
    @Override
    public String toString() {
        return (verb == Verb.OTHER ? http.method() : verb) + " " + resource()
                + (name == null ? "" : " " + name) + (namespace == null ? "" : " in " + namespace);
    }
}
