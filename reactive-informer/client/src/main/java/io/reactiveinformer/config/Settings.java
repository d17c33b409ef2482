package io.reactiveinformer.config;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Settings as configured, before they are checked and files are read. Filled by one thread, and not shared. */
final class Settings {

    @Nullable Setting server;
    @Nullable Setting namespace;
    @Nullable Setting proxy;
    boolean compression = true;

    @Nullable Setting authority;
    @Nullable Setting authorityData;
    @Nullable Setting serverName;
    /** Where it is configured; null if certificates are checked. */
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
    /** Replaces all settings above that authenticate the client. */
    Credential.@Nullable Source credentials;

    @Nullable Setting impersonate;
    @Nullable Setting impersonateUid;
    List<String> impersonateGroups = List.of();
    Map<String, List<String>> impersonateExtra = Map.of();
    /** Where it is configured, for messages. */
    String impersonateOrigin = "";

    /** Whether any setting authenticates the client. */
    boolean hasCredentials() {
        return Stream.of(certificate, certificateData, key, keyData, token, tokenFile, username, exec, authProvider, credentials)
                .anyMatch(Objects::nonNull);
    }

    /** Whether credentials are sent over an unencrypted connection: only if code, not a file, set the address or the credentials. */
    boolean credentialsInTheClear;
}
