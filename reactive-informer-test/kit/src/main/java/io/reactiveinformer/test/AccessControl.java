package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.server.Answer;
import io.reactiveinformer.apiserver.internal.server.ApiRequest;
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
 * Who may do what. Everyone may do everything until a token is given out or something is denied; from the first token on, an unknown one is
 * 401, and none at all is {@code system:anonymous}, who may do nothing. Who shows a
 * certificate that the server's authority signed is the user that it names, and of the group {@code system:masters} may do what nobody denied. Changes count for requests that come after them; open watches go on, as they
 * do on the real server.
 */
public final class AccessControl {

    private static final String ANONYMOUS = "system:anonymous";
    private static final String MASTERS = "system:masters";
    private static final String ANYTHING = "*";

    private final Map<String, String> users = new ConcurrentHashMap<>();
    private final List<Rule> rules = new CopyOnWriteArrayList<>();

    private record Rule(boolean allowed, String user, String verb, String resource, @Nullable String namespace) {

        boolean isAbout(String who, ApiRequest request) {
            return (user.equals(ANYTHING) || user.equals(who))
                    && (verb.equals(ANYTHING) || verb.equals(request.verb()))
                    && request.isAbout(resource)
                    && (namespace == null || Objects.equals(namespace, request.namespace()));
        }
    }

    AccessControl() {}

    /** A user who may do everything. */
    public AccessControl admin(String token, String user) {
        return user(token, user).allow(user, ANYTHING, ANYTHING, null);
    }

    /** A user who may do nothing yet. */
    public AccessControl user(String token, String user) {
        users.put(token, user);
        return this;
    }

    /** The token is unknown from now on: 401. */
    public AccessControl revoke(String token) {
        users.remove(token);
        return this;
    }

    /** The token of a user, if he was given one. */
    Optional<String> token(String user) {
        return users.entrySet().stream().filter(entry -> entry.getValue().equals(user)).map(Map.Entry::getKey).findFirst();
    }

    /**
     * Later rules win over earlier ones.
     *
     * @param verb such as {@code list}; {@code *} for all
     * @param resource such as {@code pods}, {@code deployments.apps} or {@code pods/status}, which {@code pods} does not mean; {@code *} for all
     * @param namespace null for all
     */
    public AccessControl allow(String user, String verb, String resource, @Nullable String namespace) {
        rules.add(0, new Rule(true, user, verb, resource, namespace));
        return this;
    }

    /** As {@link #allow}: 403 from now on. */
    public AccessControl deny(String user, String verb, String resource, @Nullable String namespace) {
        rules.add(0, new Rule(false, user, verb, resource, namespace));
        return this;
    }

    /** 403 for everyone. */
    public AccessControl deny(String verb, String resource) {
        return deny(ANYTHING, verb, resource, null);
    }

    /** Everyone may do everything again. */
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
