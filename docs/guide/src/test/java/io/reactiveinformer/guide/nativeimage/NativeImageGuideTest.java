package io.reactiveinformer.guide.nativeimage;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.Rounds;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What docs/guide/operating.md says of native images: the metadata names each class that is accessed by reflection, with its members.
 * Accesses to classes of the JDK are not checked: they are Jackson's, of each program that uses it.
 */
@Tag("long")
@Timeout(600)
class NativeImageGuideTest {

    private static final List<String> METADATA = Stream.of("-client", "-readers", "").map(module ->
            "/META-INF/native-image/io.reactiveinformer/reactive-informer" + module + "/reachability-metadata.json").toList();

    /** A native image registers the providers of a service by itself. */
    private static final String SERVICE = "ClassReaders$Provider";

    /** The classes of ours and of Jackson. */
    private static final String CALLERS = "(io\\.reactiveinformer\\.(?!guide).*|tools\\.jackson\\..*)";

    /** What an entry must have besides the name; the other accesses, for example {@code getDeclaredMethods}, need nothing else. */
    private static final Map<String, String> NEEDS = Map.of(
            "getDeclaredFields", "allDeclaredFields", "getDeclaredField", "allDeclaredFields",
            "get", "allDeclaredFields", "set", "allDeclaredFields",
            "getDeclaredConstructor", "allDeclaredConstructors", "newInstance", "allDeclaredConstructors",
            "getDeclaredMethod", "allDeclaredMethods", "invoke", "allDeclaredMethods");

    private final Map<String, JsonNode> named = new HashMap<>();

    @TempDir
    private Path directory;

    NativeImageGuideTest() throws IOException {
        for (String file : METADATA) {
            try (InputStream metadata = ResourceType.class.getResourceAsStream(file)) {
                JsonNode all = new JsonMapper().readTree(metadata);
                all.path("reflection").forEach(entry -> named.put(entry.path("type").asString(), entry));
                all.path("resources").forEach(entry -> // found under the names that are relative to a class
                        named.put("resource " + entry.path("glob").asString().replaceFirst(".*/", ""), entry));
            }
        }
    }

    @Test
    void theLibraryNamesEachClassThatItReadsAndWritesByItself() throws Exception {
        assertThat(missing(accesses("library"))).isEmpty();
    }

    @Test
    void ofAUsersTypeOnlyTheClassesOfItsFieldsAreMissing() throws Exception {
        Rounds.assumeThorough();
        Set<String> missing = missing(accesses("pods")).keySet();
        assertThat(missing).contains(V1Pod.class.getName(), "io.kubernetes.client.openapi.models.V1Container")
                .isSubsetOf(classesOf(V1Pod.class, new TreeSet<>()));
    }

    private Map<String, Set<String>> accesses(String what) throws Exception {
        try (FakeApiServer server = FakeApiServer.create().start()) {
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: first, namespace: shop}}");
            server.objects().create("{apiVersion: apps/v1, kind: Deployment, metadata: {name: first, namespace: shop}, "
                    + "spec: {replicas: 2, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: "
                    + "[{name: main, image: i}]}}}}");
            server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: first, namespace: shop}, spec: {containers: "
                    + "[{name: main, image: i}]}}");
            server.objects().create("{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: reader}, "
                    + "rules: [{apiGroups: [''], resources: [configmaps], verbs: [list]}]}");
            server.objects().create("{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, "
                    + "metadata: {name: first, namespace: shop}, "
                    + "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}, "
                    + "subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: jane}]}");
            server.faults().onWatch("configmaps").after(1).events().expire();
            Reflections reflections = Reflections.of(Program.class, CALLERS, server.url(), directory.toString(), what);
            assertThat(reflections.output).contains("done\n");
            assertThat(reflections.found).hasSizeGreaterThan(10);
            return reflections.found;
        }
    }

    /** By class, or kind of access and name: what has no entry, or one that allows less. */
    private Map<String, Set<String>> missing(Map<String, Set<String>> accesses) {
        Map<String, Set<String>> missing = new TreeMap<>();
        accesses.forEach((type, members) -> {
            JsonNode entry = named.get(type);
            Set<String> refused = new TreeSet<>(members);
            if (entry != null) {
                refused.removeIf(member -> !NEEDS.containsKey(member) || entry.path(NEEDS.get(member)).asBoolean());
            }
            if (!refused.isEmpty() && !type.startsWith("java.") && !type.endsWith(SERVICE)) {
                missing.put(type, refused);
            }
        });
        return missing;
    }

    private static Set<String> classesOf(Type type, Set<String> found) {
        if (type instanceof ParameterizedType generic) {
            List.of(generic.getActualTypeArguments()).forEach(argument -> classesOf(argument, found));
        } else if (type instanceof Class<?> one && one.getName().startsWith("io.kubernetes.") && found.add(one.getName())) {
            for (Field field : one.getDeclaredFields()) {
                classesOf(field.getGenericType(), found);
            }
        }
        return found;
    }
}
