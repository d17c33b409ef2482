package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The rights that requests need, as roles. Not thread-safe. */
final class NeededRights {

    /** Resources of one group. */
    private record Resource(String group, String plural) implements Comparable<Resource> {

        static Resource of(ApiRequest request) {
            String subresource = beforeSlash(request.subresource()); // below a proxy there are paths
            return new Resource(request.group(), subresource.isEmpty() ? request.plural() : request.plural() + "/" + subresource);
        }

        Resource whole() {
            return new Resource(group, beforeSlash(plural));
        }

        private static String beforeSlash(String path) {
            int slash = path.indexOf('/');
            return slash < 0 ? path : path.substring(0, slash);
        }

        /** Events are written in the namespace of the object that they are about, or in {@code default}. */
        boolean isOfEvents() {
            return plural.equals("events") && (group.isEmpty() || group.equals("events.k8s.io"));
        }

        @Override
        public int compareTo(Resource other) {
            return Comparator.comparing(Resource::group).thenComparing(Resource::plural).compare(this, other);
        }
    }

    private static final String EVERYWHERE = "";
    private static final String LIST = Verb.LIST.toString();

    /** By namespace. */
    private final Map<String, Map<Resource, Set<String>>> rights = new TreeMap<>();

    private final Set<Resource> applied = new HashSet<>();

    void add(ApiRequest request) {
        if (request.isResource() && request.verb() != Verb.OTHER) {
            String where = request.namespace() == null ? EVERYWHERE : request.namespace();
            Set<String> verbs = verbs(rights.computeIfAbsent(where, any -> new TreeMap<>()), Resource.of(request));
            verbs.add(request.verb().toString());
            boolean apply = request.verb() == Verb.PATCH && request.subresource().isEmpty()
                    && request.http().headers().first("Content-Type").orElse("").startsWith("application/apply-patch");
            if (apply) {
                verbs.add(Verb.CREATE.toString()); // it creates what is not there
                applied.add(Resource.of(request));
            } else if (request.verb() == Verb.WATCH) {
                verbs.add(LIST); // a watch that breaks may have to list
            }
        }
    }

    private static Set<String> verbs(Map<Resource, Set<String>> rights, Resource resource) {
        return rights.computeIfAbsent(resource, any -> new TreeSet<>());
    }

    /** An applier that is started again gets what it has applied before; a test has mostly one process. */
    private void addGets() {
        Map<Resource, Set<String>> requested = rights.getOrDefault(EVERYWHERE, Map.of());
        rights.values().forEach(needed -> needed.forEach((resource, verbs) -> {
            boolean cached = verbs.contains(LIST) || requested.getOrDefault(resource, Set.of()).contains(LIST);
            if (cached && applied.contains(resource)) {
                verbs.add(Verb.GET.toString());
            }
        }));
    }

    private static boolean lists(Map<Resource, Set<String>> needed) {
        return needed.values().stream().anyMatch(verbs -> verbs.contains(LIST));
    }

    /** Events are written wherever objects are listed: a test causes them in some namespaces only. */
    private void spreadEvents() {
        Map<Resource, Set<String>> events = new TreeMap<>();
        rights.values().forEach(needed -> needed.forEach((resource, verbs) -> {
            if (resource.isOfEvents()) {
                verbs(events, resource).addAll(verbs);
            }
        }));
        rights.values().stream().filter(NeededRights::lists)
                .forEach(needed -> events.forEach((resource, verbs) -> verbs(needed, resource).addAll(verbs)));
    }

    /** What is watched everywhere is written everywhere: a test has objects in some namespaces only. */
    private Map<Resource, Set<String>> everywhere() {
        Map<Resource, Set<String>> everywhere = new TreeMap<>();
        Map<Resource, Set<String>> requested = rights.getOrDefault(EVERYWHERE, Map.of());
        rights.forEach((namespace, needed) -> needed.forEach((resource, verbs) -> {
            boolean watched = requested.getOrDefault(resource.whole(), Set.of()).contains(LIST);
            if (namespace.equals(EVERYWHERE) || watched) {
                verbs(everywhere, resource).addAll(verbs);
            }
        }));
        return everywhere;
    }

    /** A ClusterRole, then a Role for each namespace with what the ClusterRole does not allow, in YAML. */
    String yaml(String name) {
        spreadEvents();
        addGets();
        Map<Resource, Set<String>> everywhere = everywhere();
        var roles = new StringBuilder();
        rights.forEach((namespace, needed) -> {
            Map<Resource, Set<String>> more = new TreeMap<>(needed);
            if (namespace.equals(EVERYWHERE)) {
                more.putAll(everywhere);
            } else {
                more.replaceAll((resource, verbs) -> without(verbs, everywhere.get(resource)));
                more.values().removeIf(Set::isEmpty);
            }
            if (!more.isEmpty()) {
                roles.append(roles.isEmpty() ? "" : "---\n").append(role(name, namespace, more));
            }
        });
        return roles.toString();
    }

    private static Set<String> without(Set<String> verbs, @Nullable Set<String> others) {
        Set<String> rest = new TreeSet<>(verbs);
        rest.removeAll(others == null ? List.of() : others);
        return rest;
    }

    private static String role(String name, String namespace, Map<Resource, Set<String>> rights) {
        var role = new StringBuilder("apiVersion: rbac.authorization.k8s.io/v1\n")
                .append(namespace.equals(EVERYWHERE) ? "kind: ClusterRole\n" : "kind: Role\n")
                .append("metadata:\n  name: ").append(name).append('\n')
                .append(namespace.equals(EVERYWHERE) ? "" : "  namespace: " + namespace + "\n")
                .append("rules:\n");
        rights.forEach((resource, verbs) -> role
                .append("- apiGroups: [\"").append(resource.group()).append("\"]\n")
                .append("  resources: [\"").append(resource.plural()).append("\"]\n")
                .append("  verbs: [\"").append(String.join("\", \"", verbs)).append("\"]\n"));
        return role.toString();
    }
}
