package io.reactiveinformer.spring;

import io.reactiveinformer.permissions.Permissions;
import io.reactiveinformer.permissions.User;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AuthenticationTrustResolver;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.util.StringUtils;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What the user who is signed in with Spring Security may do in the cluster.
 *
 * <pre>{@code
 * stream.events(StreamRequest.of(headers, query).withRights(users.rights(ResourceType.of(V1Pod.class), "list")));
 * }</pre>
 *
 * <p>The bean of this type is there with {@code reactive-informer.permissions.enabled}. Thread-safe.
 */
public final class UserRights {

    private static final AuthenticationTrustResolver TRUST = new AuthenticationTrustResolverImpl();

    private final Permissions permissions;
    private final Mapping users;

    /**
     * Says which user of the cluster somebody is who is signed in; a bean of the application. A name that people choose for themselves may
     * be somebody else's in the cluster, so which names are trusted is said here.
     */
    @FunctionalInterface
    public interface Mapping {

        /**
         * The user as the cluster knows him; null for one that it does not know, who is refused, and so is one for whom this throws an {@link
         * IllegalArgumentException}, as {@link User} does for a name that is absent. Must not block.
         */
        @Nullable User user(Authentication signedIn);
    }

    private UserRights(Permissions permissions, Mapping users) {
        this.permissions = permissions;
        this.users = users;
    }

    /** The rights of users by {@code permissions}. */
    public static UserRights of(Permissions permissions, Mapping users) {
        return new UserRights(permissions, users);
    }

    /**
     * As {@link Permissions#rights}, for the user in the Reactor context of the subscriber, as {@link ReactiveSecurityContextHolder} has
     * it; an application of servlets has to put it there, with {@code contextWrite}. Who that is counts for as long as somebody is
     * subscribed: take such a stream for a time only, if users are to sign in anew.
     *
     * <p>Fails with {@link ResponseStatusException}, 401, before any predicate, if nobody is signed in, or an anonymous user, or one without
     * a name here or in the cluster.
     */
    public Flux<Predicate<ObjectKey>> rights(ResourceType<?> type, String verb) {
        return ReactiveSecurityContextHolder.getContext().mapNotNull(SecurityContext::getAuthentication)
                .filter(who -> TRUST.isAuthenticated(who) && StringUtils.hasText(who.getName()))
                .mapNotNull(users::user)
                .onErrorMap(IllegalArgumentException.class, nameless -> refused(nameless))
                .switchIfEmpty(Mono.error(() -> refused(null)))
                .flatMapMany(user -> permissions.rights(user, type, verb));
    }

    private static ResponseStatusException refused(@Nullable Throwable cause) {
        return new ResponseStatusException(HttpStatus.UNAUTHORIZED, "sign in as a user that the cluster knows", cause);
    }
}
