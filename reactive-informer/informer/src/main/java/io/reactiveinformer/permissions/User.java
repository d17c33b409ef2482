package io.reactiveinformer.permissions;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * A user, as the API server knows it. Names and groups are only compared, as texts, so they may have any characters. Immutable.
 *
 * @param name the name; that of a service account is {@code system:serviceaccount:namespace:name}
 * @param groups the groups, with those that the server adds, see the constructor
 */
public record User(String name, Set<String> groups) {

    private static final String ANONYMOUS = "system:anonymous";
    private static final String UNAUTHENTICATED = "system:unauthenticated";
    private static final String ACCOUNTS = "system:serviceaccount";

    /**
     * Copies the groups, and adds those that {@code kubectl --as} adds: {@code system:authenticated}, or {@code system:unauthenticated} if
     * the name is {@code system:anonymous}; and, for a service account without groups, the groups of all service accounts and of those of
     * its namespace. {@code system:authenticated} is not added to a user that has the group {@code system:unauthenticated}.
     *
     * @throws IllegalArgumentException if {@code name} is empty: nobody is known by that name, and nothing may be shown
     */
    public User {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a user without a name has no rights; was the request authenticated? Its groups are " + groups);
        }
        Set<String> all = new TreeSet<>(groups);
        String[] parts = name.split(":", -1);
        if (groups.isEmpty() && parts.length == 4 && name.startsWith(ACCOUNTS + ":")) {
            all.add(ACCOUNTS + "s");
            all.add(ACCOUNTS + "s:" + parts[2]);
        }
        all.add(name.equals(ANONYMOUS) || all.contains(UNAUTHENTICATED) ? UNAUTHENTICATED : "system:authenticated");
        groups = Set.copyOf(all);
    }

    /** As the constructor. */
    public static User of(String name, String... groups) {
        return new User(name, Set.copyOf(Arrays.asList(groups)));
    }
}
