package io.reactiveinformer.config;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What was configured, before it is checked and read. Filled in one place at a time, and not shared. */
final class Settings {

    @Nullable Setting server;
    @Nullable Setting namespace;
    @Nullable Setting proxy;
    boolean compression = true;

    @Nullable Setting authority;
    @Nullable Setting authorityData;
    @Nullable Setting serverName;
    /** Where it is configured; null where certificates are checked. */
    @Nullable Setting insecure;

    @Nullable Setting certificate;
    @Nullable Setting certificateData;
    @Nullable Setting key;
    @Nullable Setting keyData;
    @Nullable Setting token;
    @Nullable Setting tokenFile;
    @Nullable Setting username;
    @Nullable Setting password;
    @Nullable ExecPlugin exec;
    @Nullable Section authProvider;
    /** Replaces everything above that says who we are. */
    @Nullable CredentialSource credentials;

    @Nullable Setting impersonate;
    @Nullable Setting impersonateUid;
    List<String> impersonateGroups = List.of();
    Map<String, List<String>> impersonateExtra = Map.of();
    /** Where it is configured, for messages. */
    String impersonateOrigin = "";

    /** Whether anything says who we are. */
    boolean hasCredentials() {
        return Stream.of(certificate, certificateData, key, keyData, token, tokenFile, username, exec, authProvider, credentials)
                .anyMatch(Objects::nonNull);
    }

    /** Whether credentials go over a connection that is not encrypted; only when someone asked for exactly that. */
    boolean credentialsInTheClear;
}
