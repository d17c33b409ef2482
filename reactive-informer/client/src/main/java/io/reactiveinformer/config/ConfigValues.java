package io.reactiveinformer.config;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** ConfigValues as configured, before they are checked and files are read. Filled by one thread, and not shared. */
final class ConfigValues {

    @Nullable ConfigValue server;
    @Nullable ConfigValue namespace;
    @Nullable ConfigValue proxy;
    boolean compression = true;

    @Nullable ConfigValue authority;
    @Nullable ConfigValue serverName;
    /** Where it is configured; null if certificates are checked. */
    @Nullable ConfigValue insecure;

    @Nullable ConfigValue certificate;
    @Nullable ConfigValue key;
    @Nullable ConfigValue token;
    @Nullable ConfigValue tokenFile;
    @Nullable ConfigValue username;
    @Nullable ConfigValue password;
    @Nullable ExecPlugin exec;
    @Nullable YamlSection authProvider;
    /** Replaces all settings above that authenticate the client. */
    Credential.@Nullable Source credentials;

    @Nullable ConfigValue impersonate;
    @Nullable ConfigValue impersonateUid;
    List<String> impersonateGroups = List.of();
    Map<String, List<String>> impersonateExtra = Map.of();
    /** Where it is configured, for messages. */
    String impersonateOrigin = "";

    /** Whether any setting authenticates the client. */
    boolean hasCredentials() {
        return Stream.of(certificate, key, token, tokenFile, username, exec, authProvider, credentials)
                .anyMatch(Objects::nonNull);
    }

    /** Whether credentials are sent over an unencrypted connection: only if code, not a file, set the address or the credentials. */
    boolean credentialsInTheClear;
}
