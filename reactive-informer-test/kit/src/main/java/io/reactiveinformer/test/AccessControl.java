package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.server.Answer;
import io.reactiveinformer.apiserver.internal.server.CertifiedUser;
import io.reactiveinformer.apiserver.internal.server.RequestHandler;
import io.reactiveinformer.transport.HttpRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/**
 * The users of a server, and what each may do. Without users and rules everything is allowed. As soon as there is a user with a token, an
 * unknown token is answered with 401, and a request without a token is the user {@code system:anonymous}, which may do nothing unless a
 * rule allows it. A client certificate that the server's authority signed makes its bearer the user that it names; in the group
 * {@code system:masters} that user may do everything that no rule denies. A change applies to later requests; open watches go on, as they
 * do on the real server. Paths that name no resource, such as discovery, need no rule. Any thread may change it.
 */
public final class AccessControl {

    private static final String ANONYMOUS = "system:anonymous";
    private static final String MASTERS = "system:masters";
    private static final String ANYTHING = "*";

    private final Map<String, String> users = new ConcurrentHashMap<>();
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final Cluster cluster;

    private record Rule(boolean allowed, String user, @Nullable Verb verb, String resource, @Nullable String namespace) {

        static Rule of(boolean allowed, String user, String verb, String resource, @Nullable String namespace) {
            return new Rule(allowed, user, verb.equals(ANYTHING) ? null : Verb.of(verb), resource,
                    ANYTHING.equals(namespace) ? null : namespace);
        }

        boolean isAbout(String caller, ApiRequest request) {
            return (user.equals(ANYTHING) || user.equals(caller))
                    && (verb == null || verb == request.verb())
                    && request.isAbout(resource)
                    && (namespace == null || Objects.equals(namespace, request.namespace()));
        }
    }

    AccessControl(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Adds a user with this token that may do everything. A token that is known already now belongs to this user. */
    public AccessControl admin(String token, String user) {
        return user(token, user).allow(user, ANYTHING, ANYTHING, null);
    }

    /** Adds a user with this token that may do nothing yet. A token that is known already now belongs to this user. */
    public AccessControl user(String token, String user) {
        users.put(token, user);
        return this;
    }

    /** Makes the token unknown from now on: it is answered with 401, also if no other is left. The user's rules stay. */
    public AccessControl revoke(String token) {
        users.replace(token, ANONYMOUS); // and not removed: without tokens everybody is let in
        return this;
    }

    /** The token of a user; empty if it has none. */
    Optional<String> token(String user) {
        return users.entrySet().stream().filter(entry -> entry.getValue().equals(user)).map(Map.Entry::getKey).findFirst();
    }

    /**
     * Allows these requests from now on. The latest rule that matches a request decides.
     *
     * @param user the user's name; {@code *} for all
     * @param verb such as {@code list}; {@code *} for all
     * @param resource such as {@code pods}, {@code deployments.apps} or {@code pods/status}, which {@code pods} does not include; {@code *}
     *     for all
     * @param namespace null or {@code *} for all, and for requests that are about no namespace
     * @throws IllegalArgumentException if there is no such verb, or if the server has no such resource now
     */
    public AccessControl allow(String user, String verb, String resource, @Nullable String namespace) {
        return rule(Rule.of(true, user, verb, resource, namespace));
    }

    private AccessControl rule(Rule rule) {
        cluster.types().require(rule.resource());
        rules.add(0, rule);
        return this;
    }

    /** Denies these requests from now on: they are answered with 403. Parameters and precedence as for {@link #allow}. */
    public AccessControl deny(String user, String verb, String resource, @Nullable String namespace) {
        return rule(Rule.of(false, user, verb, resource, namespace));
    }

    /** Denies this to every user and in all namespaces: 403. */
    public AccessControl deny(String verb, String resource) {
        return deny(ANYTHING, verb, resource, null);
    }

    /** Removes all users and rules: everything is allowed again. */
    public void clear() {
        users.clear();
        rules.clear();
    }

    RequestHandler around(RequestHandler handler) {
        return request -> Mono.defer(() -> {
            Mono<Answer> refusal = users.isEmpty() && rules.isEmpty() ? null : refusal(request);
            return refusal == null ? handler.handle(request) : refusal;
        });
    }

    private @Nullable Mono<Answer> refusal(ApiRequest request) {
        HttpRequest http = request.http();
        String token = http.headers().first("Authorization").orElse("").replaceFirst("^Bearer ", "");
        String certified = http.headers().first(CertifiedUser.USER).orElse(ANONYMOUS);
        String user = certified.equals(ANONYMOUS) ? users.getOrDefault(token, ANONYMOUS) : certified;
        if (!users.isEmpty() && !token.isEmpty() && user.equals(ANONYMOUS)) {
            return Answer.of(ApiFailure.of(401, "Unauthorized", "Unauthorized"), http);
        }
        boolean master = http.headers().all(CertifiedUser.GROUP).contains(MASTERS);
        if (!request.isResource()) {
            return null;
        }
        boolean allowed = rules.stream()
                .filter(rule -> rule.isAbout(user, request))
                .findFirst()
                .map(Rule::allowed)
                .orElse(master || users.isEmpty());
        return allowed ? null : Answer.of(forbidden(user, request), http).map(answer -> answer.with("X-Content-Type-Options", "nosniff"));
    }

    private static ApiFailure forbidden(String user, ApiRequest request) {
        String qualified = request.group().isEmpty() ? request.plural() : request.plural() + "." + request.group();
        ObjectNode details = Json.object();
        if (request.name() != null) {
            details.put("name", request.name());
        }
        if (!request.group().isEmpty()) {
            details.put("group", request.group());
        }
        String where = request.namespace() == null ? "at the cluster scope" : "in the namespace \"" + request.namespace() + "\"";
        return ApiFailure.of(
                403,
                "Forbidden",
                qualified + (request.name() == null ? "" : " \"" + request.name() + "\"") + " is forbidden: User \"" + user + "\" cannot "
                        + request.verb() + " resource \"" + request.plural() + "\" in API group \"" + request.group() + "\" " + where,
                details.put("kind", request.plural()));
    }
}
