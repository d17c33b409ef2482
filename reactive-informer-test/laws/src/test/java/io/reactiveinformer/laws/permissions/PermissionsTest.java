package io.reactiveinformer.laws.permissions;

import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Role;
import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.reactiveinformer.backoff.Backoff;
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
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * When rights are known, and what subscribers receive of each change of roles and bindings.
 *
 * <p>Planted once, and caught: predicates that do not ask whether the rights are known; a staleness that is not looked at, or only when a
 * status arrives; objects that could not be read and count; a changed role that is not passed on; what a role said and is never forgotten;
 * a former subject that keeps the grant; equal predicates that are repeated; a source that is not waited for; one that is not tried again.
 */
@Timeout(60)
class PermissionsTest {

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final ResourceType<V1Role> ROLES = ResourceType.of(V1Role.class);
    private static final ResourceType<V1RoleBinding> BINDINGS = ResourceType.of(V1RoleBinding.class);
    private static final AccessRequest LIST = AccessRequest.of("list", PODS).in("shop");
    private static final ObjectKey WEB = ObjectKey.of("shop", "web");
    private static final ObjectKey DB = ObjectKey.of("shop", "db");
    private static final User JANE = User.of("jane", "team");
    private static final int TOO_LARGE = 20_000;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(time).build();
    private InformerFactory informers = InformerFactory.create(
            KubernetesClient.over(server.transport(), ClientOptions.defaults().withLargestObject(TOO_LARGE)),
            ReflectorOptions.defaults().withTimer(time));
    private Permissions permissions = Permissions.of(informers, LIMIT, time);

    @BeforeEach
    void roles() {
        role("reader", "{apiGroups: [''], resources: [pods], verbs: [get, list]}");
        role("web", "{apiGroups: [''], resources: [pods], resourceNames: [web], verbs: [list]}");
    }

    @AfterEach
    void close() {
        permissions.close();
        informers.close();
        server.close();
        VirtualTimeScheduler.reset();
    }

    private void role(String name, String rules) {
        server.objects().load("{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: " + name
                + ", namespace: shop}, rules: [" + rules + "]}");
    }

    private void bind(String name, String role, String... users) {
        List<String> subjects = new ArrayList<>();
        for (String user : users) {
            subjects.add("{kind: User, name: " + user + ", apiGroup: rbac.authorization.k8s.io}");
        }
        server.objects().create("{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: " + name
                + ", namespace: shop}, subjects: [" + String.join(", ", subjects)
                + "], roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: " + role + "}}");
    }

    private void settle() {
        time.advanceTimeBy(Duration.ofMillis(10));
    }

    private void start() {
        informers.start();
        settle();
        assertThat(status()).isEqualTo(new Status(true, ""));
    }

    private Status status() {
        List<Status> now = new ArrayList<>();
        var subscription = permissions.status().subscribe(now::add);
        settle();
        subscription.dispose();
        return now.get(now.size() - 1);
    }

    private Decision decide(User user) {
        return permissions.decide(user, LIST).block();
    }

    /** What one subscriber receives; each predicate is asked for two pods. */
    private final class Rights extends BaseSubscriber<Predicate<ObjectKey>> {
        final List<Predicate<ObjectKey>> received = new ArrayList<>();
        boolean completed;

        Rights(User user) {
            permissions.rights(user, PODS, "list").subscribe(this);
            settle();
        }

        @Override
        protected void hookOnNext(Predicate<ObjectKey> rights) {
            received.add(rights);
        }

        @Override
        protected void hookOnComplete() {
            completed = true;
        }

        List<String> seen() {
            settle();
            return received.stream()
                    .map(rights -> rights.test(WEB) ? rights.test(DB) ? "both" : "web" : rights.test(DB) ? "db" : "none").toList();
        }
    }

    @Test
    void nothingIsAllowedBeforeTheRightsAreKnown() {
        bind("b", "reader", "jane");
        assertThat(status().known()).isFalse();
        assertThat(status().reason()).startsWith("roles.v1.rbac.authorization.k8s.io")
                .contains("the factory of the informers was not started");
        assertThat(decide(User.of("root", "system:masters"))).isEqualTo(new Decision(false, status().reason()));
        Rights rights = new Rights(JANE);
        assertThat(rights.seen()).containsExactly("none");
        start();
        assertThat(rights.seen()).containsExactly("none", "both");
        assertThat(decide(JANE).allowed()).isTrue();
    }

    @Test
    void oneRefusedListKeepsEverythingUnknown() {
        bind("b", "reader", "jane");
        server.access().deny("*", "clusterrolebindings");
        informers.start();
        Rights rights = new Rights(JANE);
        time.advanceTimeBy(Duration.ofMinutes(2));
        assertThat(status().known()).isFalse();
        assertThat(status().reason()).startsWith("clusterrolebindings.v1.rbac.authorization.k8s.io")
                .contains("are not synced").contains("403");
        assertThat(decide(JANE).allowed()).isFalse();
        assertThat(rights.seen()).containsExactly("none");
        server.access().clear();
        time.advanceTimeBy(Duration.ofMinutes(2));
        assertThat(rights.seen()).containsExactly("none", "both");
    }

    @Test
    void rightsThatWereNotConfirmedForTooLongDoNotCount() {
        bind("b", "reader", "jane");
        start();
        Rights rights = new Rights(JANE);
        List<Status> statuses = new ArrayList<>();
        permissions.status().subscribe(statuses::add);
        server.faults().onRequest("bindings", request -> request.plural().equals("rolebindings")).always().optional()
                .refuse();
        server.restartKeeping(100); // ends the watches
        time.advanceTimeBy(LIMIT.minusSeconds(5));
        assertThat(rights.seen()).as("within the limit").containsExactly("both");
        assertThat(decide(JANE).allowed()).isTrue();
        time.advanceTimeBy(Duration.ofSeconds(7));
        assertThat(rights.seen()).containsExactly("both", "none");
        assertThat(decide(JANE).allowed()).isFalse();
        assertThat(decide(JANE).reason()).startsWith("rolebindings.v1.rbac.authorization.k8s.io").contains("were last confirmed at");
        time.advanceTimeBy(Duration.ofMinutes(10));
        server.faults().clear();
        time.advanceTimeBy(Duration.ofMinutes(2));
        assertThat(rights.seen()).containsExactly("both", "none", "both");
        assertThat(statuses.stream().map(Status::known)).as("at rest there is no status: %s", statuses)
                .startsWith(true, false).endsWith(false, true).hasSizeLessThan(30);
    }

    /** After the first failed attempt there is no news for an hour. */
    @Test
    void theLimitIsKeptWithoutAnyNews() {
        informers.close();
        bind("b", "reader", "jane");
        informers = InformerFactory.create(KubernetesClient.over(server.transport()), ReflectorOptions.defaults().withTimer(time)
                .withBackoff(Backoff.between(Duration.ofHours(1), Duration.ofHours(2))));
        permissions = Permissions.of(informers, LIMIT, time);
        start();
        Rights rights = new Rights(JANE);
        server.faults().onAny().always().optional().refuse();
        server.restartKeeping(100);
        time.advanceTimeBy(LIMIT.minusSeconds(1));
        assertThat(rights.seen()).containsExactly("both");
        time.advanceTimeBy(Duration.ofSeconds(3));
        assertThat(rights.seen()).containsExactly("both", "none");
    }

    @Test
    void anInformerThatGaveUpIsReplaced() {
        informers.close();
        bind("b", "reader", "jane");
        informers = InformerFactory.create(KubernetesClient.over(server.transport()),
                ReflectorOptions.defaults().withTimer(time).withGiveUpWhen(disrupted -> true));
        permissions = Permissions.of(informers, LIMIT, time);
        Rights rights = new Rights(JANE);
        server.access().deny("list", "roles.rbac.authorization.k8s.io");
        informers.start();
        assertThat(rights.seen()).containsExactly("none");
        assertThat(status().known()).isFalse();
        assertThat(status().reason()).startsWith("roles.v1.rbac.authorization.k8s.io").contains("403");
        server.access().clear();
        time.advanceTimeBy(Duration.ofSeconds(30));
        assertThat(rights.seen()).as(status().toString()).containsExactly("none", "both");
    }

    @Test
    void aChangeIsEmittedAtOnceAndOnce() {
        start();
        Rights rights = new Rights(JANE);
        bind("all", "reader", "jane");
        assertThat(rights.seen()).containsExactly("none", "both");
        bind("one", "web", "jane", "bob");
        bind("missing", "nothing", "jane");
        role("reader-too", "{apiGroups: ['*'], resources: ['*'], verbs: ['*']}");
        bind("again", "reader-too", "jane");
        assertThat(rights.seen()).as("he may do no more than before").containsExactly("none", "both");
        server.objects().delete(BINDINGS, ObjectKey.of("shop", "all"));
        server.objects().delete(ROLES, ObjectKey.of("shop", "reader-too"));
        assertThat(rights.seen()).containsExactly("none", "both", "web");
        role("nothing", "{apiGroups: [''], resources: ['*'], verbs: [list]}");
        assertThat(rights.seen()).as("the role appears after its binding").containsExactly("none", "both", "web", "both");
        server.objects().edit(ROLES, ObjectKey.of("shop", "nothing"), role -> role.without("rules"));
        assertThat(rights.seen()).containsExactly("none", "both", "web", "both", "web");
    }

    @Test
    void aSlowSubscriberReceivesTheNewestRightsOnly() {
        start();
        List<String> received = new ArrayList<>();
        BaseSubscriber<Predicate<ObjectKey>> slow = new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {}

            @Override
            protected void hookOnNext(Predicate<ObjectKey> rights) {
                received.add(rights.test(DB) ? "both" : rights.test(WEB) ? "web" : "none");
            }
        };
        permissions.rights(JANE, PODS, "list").subscribe(slow);
        slow.request(1);
        settle();
        for (int i = 0; i < 20; i++) {
            bind("b", i % 2 == 0 ? "reader" : "web", "jane");
            settle();
            server.objects().delete(BINDINGS, ObjectKey.of("shop", "b"));
            settle();
        }
        slow.request(1);
        settle();
        assertThat(received).as("he may do what he could before").containsExactly("none");
        bind("b", "reader", "jane");
        settle();
        assertThat(received).as("the demand is not lost").containsExactly("none", "both");
        bind("c", "web", "jane");
        server.objects().delete(BINDINGS, ObjectKey.of("shop", "b"));
        settle();
        slow.request(5);
        settle();
        assertThat(received).containsExactly("none", "both", "web");
    }

    @Test
    void usersWithTheSameGrantsShareOnePredicate() {
        bind("b", "reader", "jane", "bob");
        bind("c", "web", "carl");
        start();
        Predicate<ObjectKey> ofJane = new Rights(JANE).received.get(0);
        assertThat(new Rights(User.of("bob", "other")).received.get(0)).isSameAs(ofJane);
        assertThat(new Rights(User.of("carl")).received.get(0)).isNotEqualTo(ofJane);
        Function<String, ObjectKey> key = ObjectKey::parse;
        List<Predicate<String>> rows = new ArrayList<>();
        permissions.rights(JANE, PODS, "list", key).subscribe(rows::add);
        permissions.rights(User.of("bob"), PODS, "list", key).subscribe(rows::add);
        settle();
        assertThat(rows.get(0)).isEqualTo(rows.get(1)).accepts("shop/web").rejects("other/web");
    }

    @Test
    void aBindingThatCannotBeReadGrantsNothing() {
        bind("b", "reader", "jane");
        bind("c", "web", "jane");
        start();
        Rights rights = new Rights(JANE);
        assertThat(rights.seen()).containsExactly("both");
        annotate("b", "x".repeat(TOO_LARGE));
        assertThat(rights.seen()).as("the right may be taken in the state that could not be read").containsExactly("both", "web");
        assertThat(status().known()).as("one bad object harms nobody else").isTrue();
        annotate("b", "small");
        assertThat(rights.seen()).containsExactly("both", "web", "both");
        annotate("b", "x".repeat(TOO_LARGE));
        server.objects().delete(BINDINGS, ObjectKey.of("shop", "b"));
        bind("b", "reader", "bob");
        assertThat(rights.seen()).containsExactly("both", "web", "both", "web");
        assertThat(new Rights(User.of("bob")).seen()).containsExactly("both");
    }

    private void annotate(String binding, String text) {
        server.objects().edit(BINDINGS, ObjectKey.of("shop", binding), object -> {
            object.withObject("metadata").putObject("annotations").put("text", text);
            return object;
        });
        settle();
    }

    @Test
    void afterTheEndNothingIsAllowed() {
        bind("b", "reader", "jane");
        start();
        Rights rights = new Rights(JANE);
        permissions.close();
        assertThat(rights.seen()).containsExactly("both", "none");
        assertThat(rights.completed).isTrue();
        assertThat(decide(JANE)).isEqualTo(new Decision(false, "the permissions were closed"));
        Rights late = new Rights(JANE);
        assertThat(late.seen()).containsExactly("none");
        assertThat(late.completed).isTrue();
        time.advanceTimeBy(InformerFactory.GRACE.plusSeconds(1));
        assertThat(informers.informers()).isEmpty();
    }

    @Test
    void theFactoryThatEndsTakesAllRights() {
        bind("b", "reader", "jane");
        start();
        Rights rights = new Rights(JANE);
        informers.close();
        assertThat(rights.seen()).containsExactly("both", "none");
        assertThat(status().reason()).contains("the informer has ended");
    }

    @Test
    void aLimitMustBeAtLeastASecond() {
        assertThatThrownBy(() -> Permissions.of(informers, Duration.ZERO, time)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("limit must be at least 1s, was PT0S");
    }
}
