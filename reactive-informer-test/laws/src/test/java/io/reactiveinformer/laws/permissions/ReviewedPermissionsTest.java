package io.reactiveinformer.laws.permissions;

import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.permissions.AccessRequest;
import io.reactiveinformer.permissions.Permissions;
import io.reactiveinformer.permissions.Permissions.Decision;
import io.reactiveinformer.permissions.Permissions.Status;
import io.reactiveinformer.permissions.User;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Rights by the server's own reviews: what they cost, how old they get, and what is shown while there is no answer. */
@Timeout(60)
class ReviewedPermissionsTest {

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final Duration AGE = Duration.ofSeconds(60);
    private static final User JANE = User.of("jane");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(time).build();
    private final KubernetesClient client = KubernetesClient.over(server.transport(), ClientOptions.defaults().withWriteLimit(0, 1));
    private final InformerFactory informers = InformerFactory.create(client, ReflectorOptions.defaults().withTimer(time));
    private final Permissions permissions = Permissions.reviewed(
            client, informers.of(ResourceType.metadata("", "v1", "namespaces").kind("Namespace", ResourceType.Scope.CLUSTER)), AGE, time);

    @BeforeEach
    void users() {
        server.access().user("token", "jane").allow("system:anonymous", "*", "*", null);
        server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}");
        informers.start();
        settle();
    }

    @AfterEach
    void close() {
        permissions.close();
        informers.close();
        server.close();
        VirtualTimeScheduler.reset();
    }

    private void settle() {
        time.advanceTimeBy(Duration.ofMillis(100));
    }

    /** Where a pod may be seen, of three namespaces, for each predicate that was emitted. */
    private List<String> follow(User user, ResourceType<?> type) {
        List<String> seen = new ArrayList<>();
        permissions.rights(user, type, "list").subscribe(rights -> seen.add(rights.equals(Permissions.UNKNOWN) ? "unknown"
                : String.join(" ", Stream.of("shop", "default", "none").filter(name -> rights.test(ObjectKey.of(name, "web"))).toList())));
        settle();
        return seen;
    }

    private Status status() {
        List<Status> now = new ArrayList<>();
        var subscription = permissions.status().subscribe(now::add);
        settle();
        subscription.dispose();
        return now.get(now.size() - 1);
    }

    private long reviews() {
        return server.requests().all().stream().filter(request -> request.toString().contains("subjectaccessreviews")).count();
    }

    @Test
    void aUserSeesTheNamespacesThatTheServerAllows() {
        assertThat(status()).isEqualTo(new Status(false, "the server was not asked yet"));
        server.access().allow("jane", "list", "pods", "shop");
        assertThat(follow(JANE, PODS)).containsExactly("unknown", "shop");
        assertThat(status()).isEqualTo(new Status(true, ""));
        server.access().allow("bob", "list", "pods", "*");
        assertThat(follow(User.of("bob"), PODS)).containsExactly("unknown", "shop default none");
        assertThat(follow(JANE, ResourceType.of(V1Node.class))).containsExactly("unknown", "");
    }

    @Test
    void whatWasTakenIsGoneWithinTheAge() {
        server.access().allow("jane", "list", "pods", "shop");
        List<String> seen = follow(JANE, PODS);
        server.access().deny("jane", "list", "pods", "shop");
        time.advanceTimeBy(AGE);
        assertThat(seen).containsExactly("unknown", "shop", "");
        assertThat(permissions.decide(JANE, AccessRequest.of("list", PODS).in("shop")).block().allowed()).isFalse();
        server.access().allow("jane", "list", "pods", "later");
        server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: later}}");
        time.advanceTimeBy(AGE);
        assertThat(seen).as("not one of the three").containsExactly("unknown", "shop", "", "");
    }

    @Test
    void anAnswerIsRememberedForAllWhoAskTheSame() {
        server.access().allow("jane", "list", "pods", null);
        AccessRequest request = AccessRequest.of("list", PODS).in("shop").named("web");
        assertThat(permissions.decide(JANE, request).block()).isEqualTo(new Decision(true, ""));
        for (int i = 0; i < 10; i++) {
            permissions.decide(JANE, request).block();
            follow(JANE, PODS);
        }
        assertThat(reviews()).isEqualTo(2);
        time.advanceTimeBy(AGE);
        permissions.decide(JANE, request).block();
        assertThat(reviews()).as("twice for those who follow, and once for him who asks").isBetween(4L, 5L);
    }

    @Test
    void whatIsNotAnsweredIsRefused() {
        server.access().allow("jane", "list", "pods", "shop");
        List<String> seen = follow(JANE, PODS);
        var fault = server.faults().onRequest("reviews", request -> request.plural().equals("subjectaccessreviews")).always().optional();
        fault.status(422, "Invalid", "no");
        time.advanceTimeBy(AGE);
        assertThat(seen).containsExactly("unknown", "shop", "");
        assertThat(status().known()).isFalse();
        assertThat(status().reason()).startsWith("the server did not answer a review: 422");
        AccessRequest request = AccessRequest.of("list", PODS).in("shop");
        assertThat(permissions.decide(JANE, request).block().reason()).contains("422");
        server.faults().clear();
        assertThat(permissions.decide(JANE, request).block().allowed()).as("a failure is not remembered").isTrue();
        time.advanceTimeBy(AGE);
        assertThat(seen).containsExactly("unknown", "shop", "", "shop");
        assertThat(status()).isEqualTo(new Status(true, ""));
    }

    @Test
    void afterTheEndNothingIsAllowed() {
        server.access().allow("jane", "list", "pods", null);
        List<String> seen = follow(JANE, PODS);
        permissions.close();
        settle();
        assertThat(seen).containsExactly("unknown", "shop default none", "unknown");
        assertThat(permissions.decide(JANE, AccessRequest.of("list", PODS)).block())
                .isEqualTo(new Decision(false, "the permissions were closed"));
        assertThat(follow(JANE, PODS)).containsExactly("unknown");
    }

    @Test
    void anAgeMustBeAtLeastASecond() {
        assertThatThrownBy(() -> Permissions.reviewed(client, informers.of(PODS), Duration.ofMillis(999), time))
                .isInstanceOf(IllegalArgumentException.class).hasMessage("age must be at least 1s, was PT0.999S");
    }
}
