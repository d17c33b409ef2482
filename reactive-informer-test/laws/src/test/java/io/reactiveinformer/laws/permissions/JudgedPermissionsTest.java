package io.reactiveinformer.laws.permissions;

import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.permissions.AccessRequest;
import io.reactiveinformer.permissions.Permissions;
import io.reactiveinformer.permissions.Permissions.Decision;
import io.reactiveinformer.permissions.User;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Random users, roles and requests: each answer is that of the server's own SubjectAccessReview, before and after the roles have changed.
 * The server is the fake one, which has an evaluator of its own; with {@code REAL_KUBECONFIG}, it is that of this file. Objects whose names
 * begin with {@code judged-} are created and deleted there.
 */
class JudgedPermissionsTest {

    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Set<String> KNOWN = Set.of("/pods", "/configmaps", "apps/deployments");
    private static final int REQUESTS = Integer.getInteger("judged.requests", System.getenv("REAL_KUBECONFIG") == null ? 500 : 2_000);
    private static final long SEED = Long.getLong("judged.seed", System.nanoTime());

    private final @Nullable String kubeconfig = System.getenv("REAL_KUBECONFIG");
    private final RandomRoles random = new RandomRoles(SEED);
    private final Map<String, Predicate<ObjectKey>> followed = new HashMap<>(); // guarded by itself
    private KubernetesClient client;
    private Permissions permissions;
    private final Map<String, int[]> answers = new TreeMap<>(); // no and yes, for each sort of question

    private record Question(User user, AccessRequest request) {}

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS) // a request to a real server takes 10 to 30 ms on two shared cores
    void eachAnswerIsThatOfTheServersOwnReview() {
        assertTimeoutPreemptively(Duration.ofSeconds(60).plusMillis(60L * REQUESTS), this::askAll);
    }

    private void askAll() {
        ClientOptions options = ClientOptions.defaults().withWriteLimit(0, 1);
        if (kubeconfig != null) {
            client = KubernetesClient.create(ClusterConfig.kubeconfig(Path.of(kubeconfig)), options);
            judge();
        } else {
            try (FakeApiServer server = FakeApiServer.create()) {
                server.access().admin("admin", "admin");
                server.objects().create("{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: cluster-admin}, "
                        + "rules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]}"); // in effect there without the object
                client = KubernetesClient.create(ClusterConfig.of(server.start().url()).token("admin"), options);
                judge();
            }
        }
    }

    private void judge() {
        System.out.println("seed " + SEED + (kubeconfig == null ? ", fake server" : ", real server"));
        try (InformerFactory informers = InformerFactory.create(client)) {
            clear();
            informers.start();
            permissions = Permissions.of(informers);
            List<Question> subscribed = new ArrayList<>();
            List<Disposable> subscriptions = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                Question question = new Question(random.user(), random.request());
                subscribed.add(question);
                subscriptions.add(permissions.rights(question.user(), typeOf(question.request()), question.request().verb())
                        .subscribe(rights -> {
                            synchronized (followed) {
                                followed.put(nameOf(question), rights);
                            }
                        }));
            }
            fill();
            settle("first");
            compare(REQUESTS / 2, subscribed);
            change();
            settle("second");
            compare(REQUESTS - REQUESTS / 2, subscribed);
            answers.forEach((sort, counts) -> System.out.printf("%-28s%6d no%6d yes%n", sort, counts[0], counts[1]));
            assertThat(answers.get("decisions")[1]).as("seed %d: both answers are frequent", SEED)
                    .isBetween(REQUESTS / 50, REQUESTS * 49 / 50);
            subscriptions.forEach(Disposable::dispose);
            permissions.close();
        } finally {
            clear();
            client.close();
        }
    }

    private static String nameOf(Question question) {
        return question.user() + " " + question.request().verb() + " " + typeOf(question.request());
    }

    private static ResourceType<?> typeOf(AccessRequest request) {
        return ResourceType.dynamic(request.group(), "v1", request.resource());
    }

    private List<String> roleNames(String... more) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            names.add("judged-" + i);
        }
        names.addAll(List.of(more));
        return names;
    }

    private List<String> clusterRoleNames() {
        return kubeconfig == null ? roleNames("cluster-admin") // the fake server does not write rules into aggregated roles
                : roleNames("cluster-admin", "judged-whole", "judged-whole", "view", "edit");
    }

    private static String path(String plural, String namespace) {
        return RBAC + (namespace.isEmpty() ? "" : "/namespaces/" + namespace) + "/" + plural;
    }

    private void create(String plural, String namespace, Map<String, Object> object) {
        client.raw().send("POST", path(plural, namespace), object).block(PATIENCE);
    }

    private void fill() {
        for (String namespace : RandomRoles.NAMESPACES) {
            create(client, namespace);
            for (String name : roleNames().subList(0, 8)) {
                create("roles", namespace, random.role(namespace, name));
            }
        }
        for (String name : roleNames().subList(0, 8)) {
            Map<String, Object> role = new HashMap<>(random.role("", name));
            role.put("metadata", Map.of("name", name, "labels", Map.of("judged", name)));
            create("clusterroles", "", role);
        }
        create("clusterroles", "", Map.of("metadata", Map.of("name", "judged-whole"), "aggregationRule", Map.of("clusterRoleSelectors",
                List.of(Map.of("matchLabels", Map.of("judged", "judged-1")), Map.of("matchLabels", Map.of("judged", "judged-2"))))));
        for (int i = 0; i < 25; i++) {
            bind(i);
        }
    }

    private static void create(KubernetesClient client, String namespace) {
        client.raw().send("POST", "/api/v1/namespaces", Map.of("metadata", Map.of("name", namespace)))
                .onErrorComplete().block(PATIENCE); // it may be there
    }

    private void bind(int number) {
        String namespace = number % 4 == 0 ? "" : random.of(RandomRoles.NAMESPACES);
        create(namespace.isEmpty() ? "clusterrolebindings" : "rolebindings", namespace,
                random.binding(namespace, "judged-" + number, roleNames(), clusterRoleNames()));
    }

    /** Deletes, creates and replaces some of everything; roles that were missing appear. */
    private void change() {
        for (String name : random.shuffled(roleNames().subList(0, 8)).subList(0, 4)) {
            client.raw().send("DELETE", path("clusterroles", "") + "/" + name, null).block(PATIENCE);
            client.raw().send("DELETE", path("roles", RandomRoles.NAMESPACES.get(0)) + "/" + name, null).block(PATIENCE);
        }
        for (String name : random.shuffled(roleNames().subList(0, 8)).subList(0, 4)) {
            client.raw().send("PUT", path("roles", RandomRoles.NAMESPACES.get(1)) + "/" + name,
                    random.role(RandomRoles.NAMESPACES.get(1), name)).block(PATIENCE);
        }
        for (String name : roleNames().subList(8, 12)) {
            create("clusterroles", "", random.role("", name));
            create("roles", RandomRoles.NAMESPACES.get(2), random.role(RandomRoles.NAMESPACES.get(2), name));
        }
        int half = 0;
        for (JsonNode binding : items("rolebindings")) {
            if (half++ % 2 == 0) {
                delete("rolebindings", binding);
            }
        }
        for (int i = 25; i < 40; i++) {
            bind(i);
        }
    }

    private List<JsonNode> items(String plural) {
        List<JsonNode> ours = new ArrayList<>();
        client.raw().json(RBAC + "/" + plural).block(PATIENCE).path("items").forEach(item -> {
            if (item.path("metadata").path("name").asString().startsWith("judged-")) {
                ours.add(item);
            }
        });
        return ours;
    }

    private void delete(String plural, JsonNode object) {
        JsonNode metadata = object.path("metadata");
        client.raw().send("DELETE", path(plural, metadata.path("namespace").asString("")) + "/" + metadata.path("name").asString(), null)
                .block(PATIENCE);
    }

    private void clear() {
        for (String plural : List.of("rolebindings", "clusterrolebindings", "roles", "clusterroles")) {
            items(plural).forEach(item -> delete(plural, item));
        }
    }

    /** What is created last of each type is known by all. */
    private void settle(String round) {
        String name = "judged-last-" + round;
        String namespace = RandomRoles.NAMESPACES.get(0);
        AccessRequest of = new AccessRequest("mark", "example.com", "marks", "", namespace, round);
        Map<String, Object> rules = Map.of("metadata", Map.of("name", name), "rules", List.of(Map.of("verbs", List.of("mark"),
                "apiGroups", List.of("example.com"), "resources", List.of("marks"), "resourceNames", List.of(round))));
        create("roles", namespace, rules);
        create("clusterroles", "", rules);
        for (String kind : List.of("Role", "ClusterRole")) {
            User marked = User.of(kind);
            create(kind.equals("Role") ? "rolebindings" : "clusterrolebindings", kind.equals("Role") ? namespace : "", Map.of(
                    "metadata", Map.of("name", name),
                    "subjects", List.of(Map.of("kind", "User", "name", kind, "apiGroup", "rbac.authorization.k8s.io")),
                    "roleRef", Map.of("kind", kind, "name", name, "apiGroup", "rbac.authorization.k8s.io")));
            Flux.interval(Duration.ofMillis(50)).onBackpressureDrop().concatMap(tick -> Mono.zip(
                            review(new Question(marked, of)), permissions.decide(marked, of).map(Decision::allowed), Boolean::logicalAnd))
                    .any(both -> both).timeout(PATIENCE).block();
        }
        if (kubeconfig != null) { // aggregated roles are written by a controller
            Mono.delay(Duration.ofSeconds(3)).block();
        }
    }

    private Mono<Boolean> review(Question question) {
        AccessRequest request = question.request();
        return client.raw().send("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", Map.of(
                        "apiVersion", "authorization.k8s.io/v1", "kind", "SubjectAccessReview",
                        "spec", Map.of("user", question.user().name(), "groups", question.user().groups(), "resourceAttributes", Map.of(
                                "verb", request.verb(), "group", request.group(), "resource", request.resource(),
                                "subresource", request.subresource(), "namespace", request.namespace(), "name", request.name()))))
                .map(answer -> answer.path("status").path("allowed").asBoolean(false));
    }

    private void compare(int count, List<Question> subscribed) {
        for (int i = 0; i < count; i++) {
            Question question = new Question(random.user(), random.request());
            boolean expected = review(question).block(PATIENCE);
            Decision decision = permissions.decide(question.user(), question.request()).block(PATIENCE);
            assertThat(decision.allowed()).as("seed %d: %s, %s", SEED, question, decision.reason()).isEqualTo(expected);
            sortsOf(question, decision).forEach(sort -> count(sort, expected));
            if (kubeconfig != null && i % 2 == 0 && mayAskKubectl(question)) {
                assertThat(canI(question)).as("seed %d: kubectl about %s", SEED, question).isEqualTo(decision.allowed());
                count("asked of kubectl, too", expected);
            }
            if (i % 4 == 0) {
                AccessRequest request = question.request();
                comparePredicate(question.user(), request,
                        permissions.rights(question.user(), typeOf(request), request.verb()).blockFirst(PATIENCE));
            }
        }
        for (Question question : subscribed) {
            Predicate<ObjectKey> rights;
            synchronized (followed) {
                rights = followed.get(nameOf(question));
            }
            for (int i = 0; i < 3; i++) {
                comparePredicate(question.user(), random.request(question.request()), rights);
            }
        }
    }

    private void count(String sort, boolean allowed) {
        answers.computeIfAbsent(sort, any -> new int[2])[allowed ? 1 : 0]++;
    }

    /** What the question is about, for the report: it must be visible that both answers are frequent where they are difficult. */
    private static List<String> sortsOf(Question question, Decision decision) {
        AccessRequest request = question.request();
        String user = question.user().name();
        boolean master = question.user().groups().contains("system:masters");
        boolean aggregated = decision.reason().matches(".* to the role (judged-whole|view|edit)");
        boolean unnamed = Set.of("create", "deletecollection").contains(request.verb());
        return Stream.of("decisions",
                        request.name().isEmpty() ? "" : unnamed ? "name, create or delete all" : "name, other verbs",
                        request.subresource().isEmpty() ? "" : "subresource",
                        request.namespace().isEmpty() ? "all namespaces" : "",
                        request.toString().contains("*") ? "request with *" : "",
                        request.resource().equals("namespaces") ? "namespaces" : "",
                        user.startsWith("system:serviceaccount") ? "service account" : "",
                        user.equals("system:anonymous") ? "anonymous" : "",
                        master ? "system:masters" : aggregated ? "by an aggregated role" : "")
                .filter(sort -> !sort.isEmpty()).toList();
    }

    /** It knows only types that the server has, and may ask for itself only what a known user may. */
    private static boolean mayAskKubectl(Question question) {
        return KNOWN.contains(question.request().group() + "/" + question.request().resource())
                && question.user().groups().contains("system:authenticated");
    }

    /** The answer of {@code kubectl auth can-i}. */
    private boolean canI(Question question) {
        AccessRequest request = question.request();
        List<String> command = new ArrayList<>(List.of("kubectl", "--kubeconfig", String.valueOf(kubeconfig), "auth", "can-i",
                request.verb(), request.resource() + (request.group().isEmpty() ? "" : "." + request.group())
                        + (request.name().isEmpty() ? "" : "/" + request.name()),
                "--as", question.user().name(), "--subresource", request.subresource()));
        question.user().groups().forEach(group -> command.addAll(List.of("--as-group", group)));
        command.addAll(request.namespace().isEmpty() ? List.of("-A") : List.of("-n", request.namespace()));
        try {
            Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).as("seed %d: kubectl about %s", SEED, question).matches("(?s)(yes|no)\\b.*");
            return answer.startsWith("yes");
        } catch (IOException failure) {
            throw new AssertionError("kubectl cannot be run", failure);
        }
    }

    private void comparePredicate(User user, AccessRequest request, Predicate<ObjectKey> rights) {
        if (request.name().isEmpty()) {
            return;
        }
        boolean asNamespace = request.resource().equals("namespaces") && request.group().isEmpty();
        boolean unnamed = List.of("create", "deletecollection").contains(request.verb()); // the server decides before it knows a name
        boolean byName = asNamespace && !unnamed && !List.of("list", "watch").contains(request.verb());
        AccessRequest asked = new AccessRequest(request.verb(), request.group(), request.resource(), "",
                asNamespace ? byName ? request.name() : "" : request.namespace(), unnamed ? "" : request.name());
        boolean expected = review(new Question(user, asked)).block(PATIENCE);
        assertThat(rights.test(ObjectKey.of(asNamespace ? "" : request.namespace(), request.name())))
                .as("seed %d: %s %s by %s", SEED, user, asked, rights).isEqualTo(expected);
        count("predicates of keys", expected);
    }
}
