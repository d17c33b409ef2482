package io.reactiveinformer.spring;

import io.reactiveinformer.permissions.AccessRequest;
import io.reactiveinformer.permissions.Permissions;
import io.reactiveinformer.permissions.User;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** Who has rights, who is refused, and when there are such beans at all. */
@Timeout(60)
class UserRightsTest {

    private static final String ENABLED = "reactive-informer.permissions.enabled=true";
    private static final ResourceType<?> PODS = ResourceType.of(io.kubernetes.client.openapi.models.V1Pod.class);

    private final ApplicationContextRunner application = new ApplicationContextRunner().withConfiguration(
            AutoConfigurations.of(ReactiveInformerAutoConfiguration.class, PermissionsAutoConfiguration.class));

    @Configuration(proxyBeanMethods = false)
    static class Mapping {

        @Bean
        UserRights.Mapping users() {
            return who -> User.of(who.getName());
        }
    }

    @Test
    void isThereOnlyIfAskedFor() {
        try (FakeApiServer server = FakeApiServer.create().start()) {
            ApplicationContextRunner with = application.withPropertyValues("reactive-informer.url=" + server.url());
            with.withUserConfiguration(Mapping.class).run(context ->
                    assertThat(context).doesNotHaveBean(Permissions.class).doesNotHaveBean(UserRights.class));
            with.withUserConfiguration(Mapping.class).withPropertyValues(ENABLED).run(context ->
                    assertThat(context).hasSingleBean(Permissions.class).hasSingleBean(UserRights.class));
            with.withPropertyValues(ENABLED).withClassLoader(new FilteredClassLoader("org.springframework.security")).run(context -> {
                assertThat(context).as("without Spring Security").hasNotFailed().hasSingleBean(Permissions.class);
                assertThat(context.getBeanDefinitionNames()).doesNotContain("userRights");
            });
        }
    }

    @Test
    void theStartFailsIfNobodySaysWhoAUserIs() {
        try (FakeApiServer server = FakeApiServer.create().start()) {
            application.withPropertyValues("reactive-informer.url=" + server.url(), ENABLED).run(context -> {
                var analysis = new InformerFailureAnalyzer().analyze(context.getStartupFailure());
                assertThat(analysis).isNotNull();
                assertThat(analysis.getDescription()).contains("reactive-informer.permissions.enabled");
                assertThat(analysis.getAction()).contains("UserRights.Mapping");
            });
        }
    }

    /** Notes who was asked for; allows all. */
    private static final class Noting implements Permissions {

        private final List<User> asked = new ArrayList<>();

        @Override
        public Mono<Decision> decide(User user, AccessRequest request) {
            return Mono.error(new UnsupportedOperationException());
        }

        @Override
        public Flux<Predicate<ObjectKey>> rights(User user, ResourceType<?> type, String verb) {
            asked.add(user);
            return Flux.just(key -> true);
        }

        @Override
        public Flux<Status> status() {
            return Flux.empty();
        }

        @Override
        public void close() {}
    }

    private static void assertRefused(@Nullable Authentication who, UserRights.Mapping users) {
        var permissions = new Noting();
        Flux<Predicate<ObjectKey>> rights = UserRights.of(permissions, users).rights(PODS, "list");
        StepVerifier.create(who == null ? rights : rights.contextWrite(ReactiveSecurityContextHolder.withAuthentication(who)))
                .verifyErrorSatisfies(failure -> assertThat(failure).isInstanceOfSatisfying(ResponseStatusException.class,
                        refused -> assertThat(refused.getStatusCode()).isEqualTo(HttpStatus.UNAUTHORIZED)));
        assertThat(permissions.asked).isEmpty();
    }

    private static Authentication signedIn(String name) {
        return new TestingAuthenticationToken(name, "secret", "USER");
    }

    @Test
    void whoIsNobodyIsRefused() {
        UserRights.Mapping byName = who -> User.of(who.getName());
        assertRefused(null, byName);
        assertRefused(new AnonymousAuthenticationToken("key", "guest", AuthorityUtils.createAuthorityList("ANONYMOUS")), byName);
        assertRefused(new TestingAuthenticationToken("jane", "not proven"), byName);
        assertRefused(signedIn(""), byName);
        assertRefused(signedIn(" "), byName);
        assertRefused(signedIn("jane"), who -> null);
        for (String absent : new String[] {"", " ", null}) {
            assertRefused(signedIn("jane"), who -> User.of(absent));
        }
    }

    @Test
    void whoIsSignedInHasTheRightsOfHisUser() {
        var permissions = new Noting();
        UserRights rights = UserRights.of(permissions, who -> User.of("corp:" + who.getName(), "team-a"));
        StepVerifier.create(rights.rights(PODS, "list").contextWrite(ReactiveSecurityContextHolder.withAuthentication(signedIn("jane"))))
                .expectNextCount(1).verifyComplete();
        assertThat(permissions.asked).containsExactly(User.of("corp:jane", "team-a"));
    }
}
