package io.reactiveinformer.apiserver.internal.server;

import java.util.List;
import java.util.stream.Stream;

/** Who sends a request. */
public record Caller(String user, List<String> groups) {

    private static final String ANONYMOUS = "system:anonymous";
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
}
