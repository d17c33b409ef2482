package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.server.Action;
import io.reactiveinformer.apiserver.internal.server.Answer;
import io.reactiveinformer.apiserver.internal.server.Authorizer;
import io.reactiveinformer.apiserver.internal.server.Caller;
import io.reactiveinformer.apiserver.internal.server.CertifiedUser;
import io.reactiveinformer.apiserver.internal.server.RequestHandler;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The users of a server, and what each may do. Without users and rules everything is allowed. As soon as there is a user with a token, an
 * unknown token is answered with 401, and a request without a token is the user {@code system:anonymous}, which may do nothing unless a
 * rule allows it. A client certificate that the server's authority signed makes its bearer the user that it names; in the group
 * {@code system:masters} that user may do everything that no rule denies. So does a token of a service account, as
 * {@code kubectl create token} gets one, for that account; it does not expire here.
 *
 * <p>Roles and bindings in the cluster count as on the real server, after the rules that the test sets here: for all users as soon as
 * there is one with a token, else for those that a certificate or impersonation names, as soon as there is a binding. Of the roles that a
 * real cluster begins with there is only {@code cluster-admin}; the standalone server begins with all. Reviews of access, as
 * {@code kubectl auth can-i} sends them, are answered by the same rules. Who impersonates a user must be allowed to.
 *
 * <p>A change applies to later requests; open watches go on, as they
 * do on the real server. Paths that name no resource, such as discovery, need no rule. Any thread may change it.
 */
public final class AccessControl {

    private static final String ANONYMOUS = Caller.anonymous().user();
    private static final String ANYTHING = "*";
    private static final Set<String> OF_THE_PROXY =
            Set.of(CertifiedUser.USER.toLowerCase(Locale.ROOT), CertifiedUser.GROUP.toLowerCase(Locale.ROOT));
    private static final Set<String> OF_THE_TEST =
            Stream.concat(OF_THE_PROXY.stream(), Stream.of("authorization")).collect(Collectors.toUnmodifiableSet()); // an issued token

    private final Map<String, String> users = new ConcurrentHashMap<>();
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final Consumer<String> resources;
    private final Rbac rbac;
    private final @Nullable RealCluster real;
    private final Authorizer decisions = new Decisions();

    private record Rule(boolean allowed, String user, @Nullable Verb verb, String resource, @Nullable String namespace) {

        static Rule of(boolean allowed, String user, String verb, String resource, @Nullable String namespace) {
            return new Rule(allowed, user, verb.equals(ANYTHING) ? null : Verb.of(verb), resource,
                    ANYTHING.equals(namespace) ? null : namespace);
        }

        boolean isAbout(String caller, Action action) {
            return isFor(caller, action.namespace())
                    && (verb == null || verb.toString().equals(action.verb()))
                    && action.isAbout(resource);
        }

        boolean isFor(String caller, @Nullable String where) {
            return (user.equals(ANYTHING) || user.equals(caller)) && (namespace == null || namespace.equals(where));
        }

        /** Without a group, the resource of each group is meant. */
        ObjectNode asOfARole() {
            int slash = resource.indexOf('/');
            String object = slash < 0 ? resource : resource.substring(0, slash);
            int dot = object.indexOf('.');
            ObjectNode role = Json.object();
            role.putArray("verbs").add(verb == null ? ANYTHING : verb.toString());
            role.putArray("apiGroups").add(dot < 0 ? ANYTHING : object.substring(dot + 1));
            role.putArray("resources").add((dot < 0 ? object : object.substring(0, dot)) + (slash < 0 ? "" : resource.substring(slash)));
            return role;
        }
    }

    /**
     * @param resources throws an {@link IllegalArgumentException} if the server has no resource of this name
     * @param real the real cluster, where users are impersonated, and whose own roles decide; null for a server in memory
     */
    AccessControl(Cluster cluster, Consumer<String> resources, @Nullable RealCluster real) {
        this.resources = resources;
        this.rbac = new Rbac(cluster);
        this.real = real;
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
        resources.accept(rule.resource());
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
            ApiFailure refusal = refusal(request);
            return refusal == null ? handler.handle(real == null ? request : passed(request)) : Answer.of(refusal, request.http())
                    .map(answer -> refusal.code() == 403 ? answer.with("X-Content-Type-Options", "nosniff") : answer);
        });
    }

    private @Nullable ApiFailure refusal(ApiRequest request) {
        Caller sender = sender(request.http().headers());
        String token = token(request.http().headers());
        if (!users.isEmpty() && sender.isAnonymous() && !token.isEmpty() && (real == null || users.containsKey(token))) {
            return ApiFailure.of(401, "Unauthorized", "Unauthorized");
        }
        Caller caller = decisions.caller(request);
        if (real != null && !caller.equals(sender) && !isFree(sender)) {
            return ApiFailure.of(501, "NotImplemented", String.valueOf(real.skip("a user of the test impersonates another one").getMessage()));
        }
        Stream<Action> impersonations = caller.equals(sender) ? Stream.empty() : caller.impersonations();
        Action refused = impersonations.filter(action -> decisions.allows(sender, action) == null).findFirst().orElse(null);
        if (refused != null) {
            return forbidden(sender, refused);
        }
        Action action = Action.of(request);
        return request.isResource() && decisions.allows(caller, action) == null ? forbidden(caller, action) : null;
    }

    private @Nullable Rule rule(Caller caller, Action action) {
        return rules.stream().filter(each -> each.isAbout(caller.user(), action)).findFirst().orElse(null);
    }

    /** The request as a real cluster gets it: for the same user, and in the group that may do everything if a rule of the test allows it. */
    private ApiRequest passed(ApiRequest request) {
        Headers all = request.http().headers();
        Caller caller = decisions.caller(request);
        Headers sent = Upstream.without(all, users.containsKey(token(all)) ? OF_THE_TEST : OF_THE_PROXY);
        boolean free = all.first("Impersonate-User").isEmpty() && isFree(caller);
        if (!free && sent.first("Authorization").isEmpty()) {
            sent = Upstream.without(sent, Set.of("impersonate-user", "impersonate-group")).with("Impersonate-User", caller.user());
            for (String group : rule(caller, Action.of(request)) != null ? List.of("system:masters") : caller.groups()) {
                sent = sent.with("Impersonate-Group", group);
            }
        }
        return ApiRequest.of(request.http().withHeaders(sent));
    }

    private Caller sender(Headers headers) {
        String certified = headers.first(CertifiedUser.USER).orElse("");
        String known = users.getOrDefault(token(headers), Caller.userOf(token(headers)));
        return !certified.isEmpty() ? Caller.authenticated(certified, headers.all(CertifiedUser.GROUP))
                : known.isEmpty() ? Caller.anonymous() : Caller.authenticated(known, List.of());
    }

    private static String token(Headers headers) {
        return headers.first("Authorization").orElse("").replaceFirst("^Bearer ", "");
    }

    /** Decides about requests, and about reviews of access in the same way. */
    private final class Decisions implements Authorizer {

        @Override
        public Caller caller(ApiRequest request) {
            Headers headers = request.http().headers();
            return headers.first("Impersonate-User")
                    .map(user -> Caller.authenticated(user, headers.all("Impersonate-Group")))
                    .orElseGet(() -> sender(headers));
        }

        @Override
        public @Nullable String allows(Caller caller, Action action) {
            Rule rule = rule(caller, action);
            if (rule != null) {
                return rule.allowed() ? "" : null;
            }
            boolean aboutItself = action.verb().equals("create") && action.plural().startsWith("selfsubject") && !caller.isAnonymous();
            return real != null || isFree(caller) || aboutItself ? "" : rbac.allows(caller, action);
        }

        /** They are complete if no rule of the test denies the user anything. */
        @Override
        public ObjectNode rules(Caller caller, String namespace) {
            boolean given = rbac.allows(caller, new Action(ANYTHING, ANYTHING, ANYTHING, "", null, "")) != null;
            ObjectNode status = isFree(caller) && !given ? Authorizer.everything() : Json.object();
            ArrayNode all = status.withArray("resourceRules");
            ArrayNode paths = status.withArray("nonResourceRules");
            rbac.rules(caller, namespace).forEach(rule -> (rule.has("nonResourceURLs") ? paths : all).add(rule));
            rules.stream().filter(rule -> rule.allowed() && rule.isFor(caller.user(), namespace)).forEach(rule -> all.add(rule.asOfARole()));
            return status.put("incomplete", rules.stream().anyMatch(rule -> !rule.allowed() && rule.isFor(caller.user(), namespace)));
        }
    }

    /** Whether the caller may do what no rule denies. */
    private boolean isFree(Caller caller) {
        return caller.isMaster() || users.isEmpty() && (caller.isAnonymous() || real == null && !rbac.isUsed());
    }

    Authorizer authorizer() {
        return decisions;
    }

    private static ApiFailure forbidden(Caller caller, Action action) {
        String qualified = action.group().isEmpty() ? action.plural() : action.plural() + "." + action.group();
        ObjectNode details = Json.object();
        if (!action.name().isEmpty()) {
            details.put("name", action.name());
        }
        if (!action.group().isEmpty()) {
            details.put("group", action.group());
        }
        String where = action.namespace() == null ? "at the cluster scope" : "in the namespace \"" + action.namespace() + "\"";
        return ApiFailure.of(403, "Forbidden", qualified + (action.name().isEmpty() ? "" : " \"" + action.name() + "\"")
                + " is forbidden: User \"" + caller.user()
                        + "\" cannot " + action.verb() + " resource \"" + action.plural() + "\" in API group \"" + action.group() + "\" "
                        + where,
                details.put("kind", action.plural()));
    }
}
