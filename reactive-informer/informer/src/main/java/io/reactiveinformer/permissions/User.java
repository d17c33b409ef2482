package io.reactiveinformer.permissions;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A user, as the API server knows it. Names and groups are only compared, as texts, so they may have any characters. Immutable.
 *
 * @param name the name; that of a service account is {@code system:serviceaccount:namespace:name}
 * @param groups the groups, with those that the server adds, see the constructor
 */
public record User(String name, Set<String> groups) {

    /**
     * Copies the groups, and adds those that {@code kubectl --as} adds: {@code system:authenticated}, or {@code system:unauthenticated} if
     * the name is {@code system:anonymous}; and, for a service account without groups, the groups of all service accounts and of those of
     * its namespace. {@code system:authenticated} is not added to a user that has the group {@code system:unauthenticated}.
     *
     * @throws IllegalArgumentException if {@code name} is null or blank, as a claim that is absent: nobody is known by that name, and
     *     nothing may be shown
     */
    public User {
        if (name == null || name.isBlank()) {
            throw new IllegalArgumentException("a user without a name has no rights; his groups are " + groups);
        }
        Set<String> all = new HashSet<>(groups);
        String[] account = groups.isEmpty() ? name.split(":", -1) : new String[0];
        if (account.length == 4 && name.startsWith("system:serviceaccount:") && !account[2].isEmpty() && !account[3].isEmpty()) {
            all.addAll(List.of("system:serviceaccounts", "system:serviceaccounts:" + account[2]));
        }
        boolean unknown = name.equals("system:anonymous") || all.contains("system:unauthenticated");
        all.add(unknown ? "system:unauthenticated" : "system:authenticated");
        groups = Set.copyOf(all);
    }

    /** As the constructor. */
    public static User of(String name, String... groups) {
        return new User(name, Set.copyOf(List.of(groups)));
    }
}
