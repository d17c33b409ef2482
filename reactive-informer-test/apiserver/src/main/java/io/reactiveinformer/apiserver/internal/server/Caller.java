package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Who sends a request. */
public record Caller(String user, List<String> groups) {

    private static final String ANONYMOUS = "system:anonymous";
    /** Who issues the tokens of service accounts. */
    static final String ISSUER = "https://kubernetes.default.svc";

    private static final long SECRET = new Random().nextLong(); // of a source that does not block
    private static final String SERVICE_ACCOUNT = "system:serviceaccount:";

    /** Copies the groups. */
    public Caller {
        groups = List.copyOf(groups);
    }

    /** A user whose identity was proven, with the groups that the server adds. */
    public static Caller authenticated(String user, List<String> groups) {
        if (user.equals(ANONYMOUS)) {
            return anonymous();
        }
        Stream<String> own = user.startsWith(SERVICE_ACCOUNT) && groups.isEmpty()
                ? Stream.of("system:serviceaccounts", "system:serviceaccounts:" + user.split(":", -1)[2])
                : groups.stream();
        return new Caller(user, Stream.concat(own, Stream.of("system:authenticated")).distinct().toList());
    }

    /** A caller that sent no credentials. */
    public static Caller anonymous() {
        return new Caller(ANONYMOUS, List.of("system:unauthenticated"));
    }

    public boolean isAnonymous() {
        return user.equals(ANONYMOUS);
    }

    /** Whether it may do everything, whatever the roles are. */
    public boolean isMaster() {
        return groups.contains("system:masters");
    }

    /** What another caller does who acts as this one: to be allowed for the user and each group. */
    public Stream<Action> impersonations() {
        String[] parts = user.startsWith(SERVICE_ACCOUNT) ? user.split(":", 4) : new String[0];
        Action ofUser = parts.length == 4 ? new Action("impersonate", "", "serviceaccounts", "", parts[2], parts[3])
                : new Action("impersonate", "", "users", "", null, user);
        return Stream.concat(Stream.of(ofUser), groups.stream().filter(group -> !group.startsWith("system:"))
                .map(group -> new Action("impersonate", "", "groups", "", null, group)));
    }

    /** A token for a service account. Those that this process issued are known again, also when they have expired. */
    static String token(StoredObject account, JsonNode audiences, Instant now, long seconds) {
        ObjectNode claims = Json.object();
        claims.set("aud", audiences);
        claims.put("exp", now.getEpochSecond() + seconds).put("iat", now.getEpochSecond()).put("iss", ISSUER);
        ObjectNode whose = claims.putObject("kubernetes.io").put("namespace", account.namespace());
        whose.putObject("serviceaccount").put("name", account.name()).put("uid", account.uid());
        claims.put("sub", SERVICE_ACCOUNT + account.namespace() + ":" + account.name());
        String said = text(Json.utf8("{\"alg\":\"RS256\",\"typ\":\"JWT\"}")) + "." + text(Json.write(claims));
        return said + "." + signature(said);
    }

    /** The user whose token this is; empty if it was not issued here. */
    public static String userOf(String token) {
        int end = token.lastIndexOf('.');
        boolean ours = end > 0 && signature(token.substring(0, end)).equals(token.substring(end + 1));
        return ours ? Json.text(Json.read(Base64.getUrlDecoder().decode(token.split("\\.", -1)[1])), "sub") : "";
    }

    private static String signature(String said) {
        return text(Json.utf8(UUID.nameUUIDFromBytes(Json.utf8(SECRET + said)).toString()));
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
