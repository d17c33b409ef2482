package io.reactiveinformer.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The user to act as, instead of the authenticated user. The server checks whether the authenticated user may do that.
 *
 * @param user the name of the user to act as
 * @param uid of that user; null for none
 * @param groups that the user is taken to be in; the server adds nothing to them but {@code system:authenticated}
 * @param extra further attributes of the user, by key
 * @see <a href="https://kubernetes.io/docs/reference/access-authn-authz/user-impersonation/">Kubernetes: user impersonation</a>
 */
public record Impersonation(String user, @Nullable String uid, List<String> groups, Map<String, List<String>> extra) {

    /** @throws ConfigException if a value holds a control character, which would end its header and begin another */
    public Impersonation {
        groups = List.copyOf(groups);
        extra = Map.copyOf(extra);
        Credential.refuseControl(user, "the user to act as");
        Credential.refuseControl(uid, "the uid to act as");
        groups.forEach(group -> Credential.refuseControl(group, "a group to act in"));
        extra.values().forEach(values -> values.forEach(value -> Credential.refuseControl(value, "an extra of the user to act as")));
    }

    /** Null if none is configured. */
    static @Nullable Impersonation of(Settings settings) {
        if (settings.impersonate != null) {
            return new Impersonation(
                    settings.impersonate.value(),
                    settings.impersonateUid == null ? null : settings.impersonateUid.value(),
                    settings.impersonateGroups,
                    settings.impersonateExtra);
        }
        if (settings.impersonateUid != null || !settings.impersonateGroups.isEmpty() || !settings.impersonateExtra.isEmpty()) {
            throw new ConfigException(settings.impersonateOrigin
                    + ": expected as, the user to act as, beside as-uid, as-groups and as-user-extra; found only these");
        }
        return null;
    }
}
