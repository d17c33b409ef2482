package io.reactiveinformer.apiserver;

import io.reactiveinformer.apiserver.internal.cluster.YamlText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Sends valid and changed objects of the built-in types to this server and to a real one, which must agree: whether they accept an object,
 * what they say first if they refuse it, and how they store it. Nothing is stored but the objects that updates change, all with dry runs.
 *
 * <pre>REAL_KUBECONFIG=… ./mvnw -pl reactive-informer-test/apiserver test -Pthorough -Dtest=DifferentialFuzzTest -Dfuzz.seed=1
 * -Dfuzz.objects=5000</pre>
 */
@Tag("thorough")
@Timeout(value = 1, unit = TimeUnit.HOURS)
class DifferentialFuzzTest {

    private static final double AGREED = 0.99;
    private static final double SAME_FIELD = 0.95;
    private static final double SAME_OBJECT = 0.995;

    private static final String NAMESPACE = "fuzz-differential";
    private static final String LIMITED = "fuzz-differential-limits";
    private static final String[] LEVELS = {"Strict", "Strict", "Strict", "Warn", "Ignore"};
    private static final List<String> LIMITS = List.of("LimitRange", "ResourceQuota");
    private static final List<String> FROM_A_VERSION = List.of("Lease", "CustomResourceDefinition", "PodDisruptionBudget", "CSIDriver",
            "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration");
    private static final List<String> OF_THE_SERVER = List.of("uid", "resourceVersion", "creationTimestamp", "managedFields",
            "lastTransitionTime", "lastPhaseTransitionTime");

    /** What controllers give or take, which need not run here: the protection of volumes, the first taint of a node, the use of a quota. */
    private static final List<String> OF_CONTROLLERS = List.of("kubernetes.io/pv-protection", "kubernetes.io/pvc-protection");
    private static final List<String> GIVEN_AT_RANDOM = List.of("clusterIP", "clusterIPs", "nodePort", "healthCheckNodePort");

    private static final String UID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
    private static final String NOT_READY = "node.kubernetes.io/not-ready";
    private static final int AT_ONCE = 6;
    private static final int SHOWN = Integer.getInteger("fuzz.shown", 60);

    private final Map<String, String> places = new HashMap<>();
    private final Map<String, List<String>> differences = new TreeMap<>();
    private int sent;
    private int agreed;
    private int refused;
    private int sameField;
    private int accepted;
    private int sameObject;

    @Test
    void bothServersAcceptRefuseAndStoreTheSame() throws Exception {
        String kubeconfig = System.getenv("REAL_KUBECONFIG");
        assumeTrue(kubeconfig != null, "needs a real API server: REAL_KUBECONFIG is not set");
        long seed = Long.getLong("fuzz.seed", System.nanoTime());
        int objects = Integer.getInteger("fuzz.objects", 5_000);
        List<JsonNode> seeds = YamlText.read(Judge.text("fuzz/seeds.yaml").replace("NAMESPACE", NAMESPACE));
        seeds = seeds.stream().filter(each -> each.toString().contains(System.getProperty("fuzz.kind", ""))).toList();
        try (Judge fake = new Judge(null); Judge real = new Judge(kubeconfig)) {
            List<Judge> both = List.of(fake, real);
            places(fake, seeds);
            List<String> created = prepare(both, seeds);
            try {
                List<JsonNode> all = seeds;
                Flux.range(0, objects).flatMap(i -> Mono.fromRunnable(() -> compare(fake, real, all, seed + i))
                        .subscribeOn(Schedulers.boundedElastic()), AT_ONCE).blockLast();
            } finally {
                created.forEach(path -> remove(real, path));
            }
        }
        String report = report(seed);
        System.out.println(report);
        if (System.getProperty("fuzz.report") != null) {
            Files.writeString(Path.of(System.getProperty("fuzz.report")), report);
        }
        assertThat((double) agreed / sent).as(report).isGreaterThanOrEqualTo(AGREED);
        assertThat((double) sameField / refused).as(report).isGreaterThanOrEqualTo(SAME_FIELD);
        assertThat((double) sameObject / accepted).as(report).isGreaterThanOrEqualTo(SAME_OBJECT);
    }

    /** Asks where the objects of each kind are. */
    private void places(Judge judge, List<JsonNode> seeds) {
        for (JsonNode seed : seeds) {
            String version = seed.path("apiVersion").asString();
            String path = (version.contains("/") ? "/apis/" : "/api/") + version;
            judge.get(path).path("resources").forEach(resource -> {
                if (!resource.path("name").asString().contains("/")) {
                    places.put(version + "." + resource.path("kind").asString(), path + (resource.path("namespaced").asBoolean()
                            ? "/namespaces/" + (LIMITS.contains(resource.path("kind").asString()) ? LIMITED : NAMESPACE) : "") + "/" + resource.path("name").asString());
                }
            });
        }
    }

    private String place(JsonNode object) {
        return places.get(object.path("apiVersion").asString() + "." + object.path("kind").asString());
    }

    private static ObjectNode namespace(String name) {
        ObjectNode namespace = Judge.read("{apiVersion: v1, kind: Namespace, spec: {finalizers: []}}").asObject();
        namespace.putObject("metadata").put("name", name);
        return namespace;
    }

    /** Deletes an object at once, for which no controller may be running. */
    private static void remove(Judge judge, String path) {
        judge.ask("DELETE", path + "?gracePeriodSeconds=0&propagationPolicy=Background", null);
        Judge.Answer left = judge.ask("GET", path, null);
        if (path.matches("/api/v1/namespaces/[^/]*")) {
            judge.ask("PUT", path + "/finalize", namespace(path.substring(path.lastIndexOf('/') + 1)));
        } else if (left.accepted()) {
            left.object().path("metadata").asObject().remove("finalizers");
            judge.ask("PUT", path, left.object());
        }
    }

    private static ObjectNode named(JsonNode seed, String name) {
        ObjectNode object = seed.deepCopy().asObject();
        ObjectNode metadata = object.path("metadata").asObject();
        if (!metadata.has("name")) {
            metadata.put("name", name);
        }
        return object;
    }

    private static String nameOf(int seed) {
        return "fuzz-" + seed;
    }

    /** Creates what updates will change, in both servers. Returns the paths. */
    private List<String> prepare(List<Judge> both, List<JsonNode> seeds) {
        List<String> created = new ArrayList<>();
        for (Judge judge : both) {
            created.clear();
            judge.ask("POST", "/api/v1/namespaces", namespace(NAMESPACE));
            judge.ask("POST", "/api/v1/namespaces", namespace(LIMITED));
            judge.ask("POST", "/api/v1/namespaces/" + NAMESPACE + "/serviceaccounts",
                    Judge.read("{apiVersion: v1, kind: ServiceAccount, metadata: {name: default}}"));
            for (int i = 0; i < seeds.size(); i++) {
                ObjectNode object = named(seeds.get(i), nameOf(i));
                object.path("metadata").asObject().remove(List.of("finalizers", "ownerReferences"));
                String path = place(object) + "/" + object.at("/metadata/name").asString();
                remove(judge, path);
                Judge.Answer answer = judge.ask("POST", place(object), object);
                if (!answer.accepted()) {
                    System.out.println((judge.isReal() ? "real" : "fake") + " refuses the seed " + path + ": " + answer.refusal().message());
                }
                created.add(path);
            }
            created.addAll(List.of("/api/v1/namespaces/" + NAMESPACE, "/api/v1/namespaces/" + LIMITED));
        }
        return created;
    }

    private void compare(Judge fake, Judge real, List<JsonNode> seeds, long seed) {
        var random = new Random(seed * 0x5DEECE66DL);
        random.nextInt();
        int chosen = random.nextInt(seeds.size());
        boolean update = random.nextInt(3) == 0;
        ObjectNode object = named(seeds.get(chosen), update ? nameOf(chosen) : "fuzzed");
        if (!update && seeds.get(chosen).at("/metadata/name").isString()) {
            object = Judge.read(object.toString().replace("things", "fuzzeds").replace("Thing", "Fuzzed").replace("thing", "fuzzed")).asObject();
        }
        String path = place(object) + (update ? "/" + object.at("/metadata/name").asString() : "");
        var mutations = new Mutations(random);
        for (int n = List.of(0, 1, 1, 1, 1, 1, 1, 2, 2, 3).get(random.nextInt(10)); n > 0; n--) {
            mutations.change(object);
        }
        String query = "?dryRun=All&fieldValidation=" + LEVELS[random.nextInt(LEVELS.length)];
        Judge.Answer expected = answer(real, update, path, query, object);
        Judge.Answer actual = answer(fake, update, path, query, object);
        String where = (update ? "update of " : "") + object.path("apiVersion").asString() + "." + object.path("kind").asString() + " ";
        Consumer<String> differs = what -> differences.computeIfAbsent(where + what, any -> new ArrayList<>()).add("seed " + seed
                + "\n      real " + said(expected) + "\n      fake " + said(actual));
        synchronized (this) {
            count(expected, actual, differs);
        }
    }

    private void count(Judge.Answer expected, Judge.Answer actual, Consumer<String> differs) {
        sent++;
        if (expected.accepted() != actual.accepted()) {
            differs.accept(expected.accepted() ? "ACCEPTED by the real one alone; fake: " + general(actual.first())
                    : "REFUSED by the real one alone: " + general(expected.first()));
            return;
        }
        agreed++;
        if (!expected.accepted()) {
            refused++;
            if (withoutOwn(expected.first()).equals(withoutOwn(actual.first()))) {
                sameField++;
            } else {
                differs.accept("FIELD real " + general(expected.first()) + " <> fake " + general(actual.first()));
            }
            return;
        }
        accepted++;
        List<String> parts = new ArrayList<>();
        different("", cleaned(expected.object()), cleaned(actual.object()), parts);
        if (parts.isEmpty()) {
            sameObject++;
        } else {
            differs.accept("STORED " + general(String.join(", ", parts)));
        }
    }

    private static Judge.Answer answer(Judge judge, boolean update, String path, String query, ObjectNode object) {
        if (!update) {
            return judge.ask("POST", path + query, object);
        }
        ObjectNode changed = object.deepCopy();
        if (FROM_A_VERSION.contains(changed.path("kind").asString()) && changed.path("metadata") instanceof ObjectNode metadata) {
            metadata.set("resourceVersion", judge.ask("GET", path, null).object().at("/metadata/resourceVersion"));
        }
        return judge.ask("PUT", path + query, changed);
    }

    private static String said(Judge.Answer answer) {
        return answer.refusal() == null ? answer.object().toString() : answer.refusal().code() + " " + answer.refusal().message();
    }

    /** Without the uid of an object, and without where in its store a server keeps objects, which is set when it is started. */
    private static String withoutOwn(String text) {
        return text.replaceAll(UID, "UID").replace("Key: /registry/", "Key: /");
    }

    private static String general(String text) {
        String short_ = text.replaceAll("\\[\\d+]", "[*]").replaceAll("\"[^\"]*\"", "\"…\"");
        return short_.substring(0, Math.min(220, short_.length()));
    }

    /** Without what only the server gives. */
    private static JsonNode cleaned(JsonNode object) {
        ObjectNode cleaned = object.deepCopy().asObject();
        if (cleaned.path("metadata").has("generateName") || cleaned.at("/metadata/name").asString("").matches(UID)) {
            cleaned.path("metadata").asObject().remove("name");
        }
        clean(cleaned);
        switch (object.path("kind").asString()) {
            case "Job" -> cleaned = Judge.read(cleaned.toString().replaceAll(UID, "UID")).asObject();
            case "ResourceQuota" -> cleaned.remove("status");
            default -> { }
        }
        return cleaned;
    }

    private static void clean(JsonNode value) {
        if (value instanceof ObjectNode object) {
            object.remove(OF_THE_SERVER);
            object.remove(GIVEN_AT_RANDOM);
            for (String list : List.of("finalizers", "taints")) {
                if (object.path(list) instanceof ArrayNode items) {
                    items.removeIf(each -> OF_CONTROLLERS.contains(each.asString("")) || each.path("key").asString("").equals(NOT_READY));
                    if (items.isEmpty()) {
                        object.remove(list);
                    }
                }
            }
        }
        value.forEach(DifferentialFuzzTest::clean);
    }

    private static void different(String path, JsonNode expected, JsonNode actual, List<String> parts) {
        if (expected.isObject() && actual.isObject()) {
            var names = new TreeSet<>(expected.propertyNames());
            names.addAll(actual.propertyNames());
            names.forEach(name -> different(path + "." + name, expected.path(name), actual.path(name), parts));
        } else if (expected.isArray() && actual.isArray() && expected.size() == actual.size()) {
            for (int i = 0; i < expected.size(); i++) {
                different(path + "[*]", expected.path(i), actual.path(i), parts);
            }
        } else if (!expected.equals(actual) && !parts.contains(path)) {
            parts.add(path);
        }
    }

    private String report(long seed) {
        var report = new StringBuilder("fuzz.seed=" + seed + "\n");
        report.append("accepted or refused alike: ").append(share(agreed, sent)).append('\n');
        report.append("refused with the same first field and reason: ").append(share(sameField, refused)).append('\n');
        report.append("accepted and stored alike: ").append(share(sameObject, accepted)).append('\n');
        differences.entrySet().stream().sorted(Comparator.comparing(each -> -each.getValue().size())).limit(SHOWN).forEach(each ->
                report.append(each.getValue().size()).append(" × ").append(each.getKey()).append("\n    ").append(each.getValue().get(0))
                        .append('\n'));
        return report.toString();
    }

    private static String share(int part, int whole) {
        return "%d of %d, %.2f %%".formatted(part, whole, 100.0 * part / Math.max(1, whole));
    }
}
