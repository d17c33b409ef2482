package io.reactiveinformer.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.resolver.CoreScalarResolver;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * kubeconfig files, merged as kubectl does: each cluster, user and context is taken whole from the first file that has it, the current
 * context from the first file that names one. Relative paths are relative to the file that contains them.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/#merging-kubeconfig-files">Kubernetes:
 *     merging kubeconfig files</a>
 */
final class Kubeconfig {

    /** A kubeconfig of a thousand clusters, each with its certificates, takes half of it. */
    private static final int LARGEST = 16 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(ClusterConfig.class);

    /** More than a kubeconfig needs for a thousand clusters that share a part by an alias. */
    private static final int MOST_ALIASES = 2000;

    private static final Pattern SEPARATOR = Pattern.compile("^(---|\\.\\.\\.)", Pattern.MULTILINE);

    /** YAML as kubectl reads it: version 1.2, but with merge keys. */
    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setLabel("kubeconfig")
            .setCodePointLimit(LARGEST)
            .setMaxAliasesForCollections(MOST_ALIASES)
            .setAllowDuplicateKeys(true)
            .setSchema(new CoreSchema() {
                @Override
                public ScalarResolver getScalarResolver() {
                    return new CoreScalarResolver(true);
                }
            })
            .build();

    private static final Set<String> CLUSTER_KEYS = Set.of("server", "tls-server-name", "insecure-skip-tls-verify", "certificate-authority",
            "certificate-authority-data", "proxy-url", "disable-compression", "extensions");
    private static final Set<String> USER_KEYS = Set.of("client-certificate", "client-certificate-data",
            "client-key", "client-key-data", "token",
            "tokenFile", "username", "password", "exec", "auth-provider", "as", "as-uid", "as-groups", "as-user-extra", "extensions");
    private static final Set<String> CONTEXT_KEYS = Set.of("cluster", "user", "namespace", "extensions");

    private record Entry(YamlSection body, Path file) {}

    private final Map<String, Entry> clusters = new LinkedHashMap<>();
    private final Map<String, Entry> users = new LinkedHashMap<>();
    private final Map<String, Entry> contexts = new LinkedHashMap<>();
    private @Nullable ConfigValue currentContext;

    /** @param mustExist whether a missing file is a failure; those of $KUBECONFIG may be missing */
    static Kubeconfig read(List<Path> files, boolean mustExist) {
        var merged = new Kubeconfig();
        for (Path file : files.stream().distinct().toList()) {
            merged.add(file.toAbsolutePath(), mustExist);
        }
        return merged;
    }

    /** Whether there is no cluster, no context and no current context. */
    boolean isEmpty() {
        return clusters.isEmpty() && contexts.isEmpty() && currentContext == null;
    }

    private void add(Path file, boolean mustExist) {
        String text;
        try {
            text = text(file);
        } catch (NoSuchFileException missing) {
            if (mustExist) {
                throw new ConfigException(file + ": there is no such file; expected a kubeconfig");
            }
            return;
        } catch (IOException unreadable) {
            throw new ConfigException(file + ": cannot be read as a kubeconfig", unreadable);
        }
        YamlSection root = parse(text, file);
        checkKind(root);
        addAll(root, "clusters", "cluster", clusters, file);
        addAll(root, "users", "user", users, file);
        addAll(root, "contexts", "context", contexts, file);
        ConfigValue current = root.text("current-context");
        currentContext = currentContext == null ? current : currentContext;
    }

    private static String text(Path file) throws IOException {
        try (InputStream stream = Files.newInputStream(file)) {
            byte[] bytes = stream.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new ConfigException(file + ": too large for a kubeconfig; expected " + (LARGEST >> 20) + " MiB at most");
            }
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        }
    }

    private static void addAll(YamlSection root, String list, String body, Map<String, Entry> into, Path file) {
        var ofThisFile = new LinkedHashMap<String, Entry>();
        for (YamlSection element : root.sections(list)) {
            String name = element.requiredText("name").value();
            YamlSection named = new YamlSection(element.section(body).entries(), file + ": " + list + "[name=" + name + "]." + body);
            if (ofThisFile.put(name, new Entry(named, file)) != null) {
                throw new ConfigException(file + ": " + list + ": the name " + name + " occurs twice; expected each name once");
            }
        }
        ofThisFile.forEach(into::putIfAbsent);
    }

    /** As kubectl reads it: the first document, with merge keys ({@code <<}); of a repeated key the last value counts. */
    private static YamlSection parse(String text, Path file) {
        try {
            Iterator<Object> documents = new Load(SETTINGS).loadAllFromString(text).iterator();
            Object root = documents.hasNext() ? documents.next() : null;
            if (SEPARATOR.matcher(text).find() && hasAnother(documents)) {
                LOG.warn("{} contains several YAML documents; only the first is read, as by kubectl", file);
            }
            if (root == null) {
                return new YamlSection(Map.of(), file + ": ");
            }
            if (root instanceof Map<?, ?> map) {
                return new YamlSection(map, file + ": ");
            }
        } catch (MarkedYamlEngineException malformed) { // its message quotes the text, which may be a secret
            String where = malformed.getProblemMark().map(mark -> ": line " + (mark.getLine() + 1)).orElse("");
            throw new ConfigException(file + ": not YAML" + where + "; " + instead(String.valueOf(malformed.getProblem())));
        } catch (YamlEngineException malformed) {
            throw new ConfigException(file + ": not YAML, or with a tag such as !!int that does not fit, or with more than " + MOST_ALIASES
                    + " aliases (*) of mappings and lists");
        } catch (StackOverflowError nested) {
            throw new ConfigException(file + ": not a kubeconfig: it is nested too deeply");
        }
        throw new ConfigException(file + ": expected a kubeconfig, which is a YAML mapping with clusters, users and contexts");
    }

    private static String instead(String problem) {
        if (problem.contains("mapping node")) {
            return "a merge key (<<) takes a mapping or a list of mappings";
        }
        return problem.contains("(TAB)") ? "indent with spaces, not with tabs" : "a text that begins with * & ! % @ or ` needs quotes";
    }

    private static boolean hasAnother(Iterator<Object> documents) {
        try {
            return documents.hasNext() && documents.next() != null;
        } catch (YamlEngineException malformed) { // kubectl does not read that far
            return true;
        }
    }

    /** A file of another kind may have the same keys with another meaning; kubectl refuses it, too. */
    private static void checkKind(YamlSection root) {
        ConfigValue kind = root.text("kind");
        ConfigValue version = root.text("apiVersion");
        if (kind != null && !kind.value().equals("Config") || version != null && !version.value().equals("v1")) {
            throw new ConfigException((kind != null && !kind.value().equals("Config") ? kind : version)
                    + ": expected a kubeconfig, which is of kind Config and of apiVersion v1; found something else");
        }
    }

    ConfigValues settings(@Nullable String wanted) {
        ConfigValue name = wanted == null ? currentContext : new ConfigValue(wanted, "the requested context");
        if (name == null) {
            throw new ConfigException("no context was requested, and no kubeconfig has a current-context; there are: " + contexts.keySet());
        }
        YamlSection context = entry(contexts, name, "context").body;
        Entry cluster = entry(clusters, context.requiredText("cluster"), "cluster");
        ConfigValue user = context.text("user");
        var settings = new ConfigValues();
        settings.namespace = context.text("namespace");
        warnOfUnknown(context, CONTEXT_KEYS);
        warnOfUnknown(cluster.body, CLUSTER_KEYS);
        readCluster(cluster, settings);
        if (user != null) {
            Entry found = entry(users, user, "user");
            warnOfUnknown(found.body, USER_KEYS);
            readUser(found, cluster, settings);
        }
        return settings;
    }

    /** kubectl ignores unknown keys silently: a misspelt token makes requests anonymous. */
    private static void warnOfUnknown(YamlSection section, Set<String> known) {
        List<String> unknown = section.keys().stream().filter(key -> !known.contains(key)).sorted().toList();
        if (!unknown.isEmpty()) {
            LOG.warn("{}: unknown settings are ignored: {}", section, unknown);
        }
    }

    private static Entry entry(Map<String, Entry> entries, ConfigValue name, String what) {
        Entry entry = entries.get(name.value());
        if (entry == null) {
            throw new ConfigException(name.origin() + ": there is no " + what + " \"" + name.value()
                    + "\"; there are: " + entries.keySet());
        }
        return entry;
    }

    private static void readCluster(Entry entry, ConfigValues settings) {
        YamlSection cluster = entry.body;
        settings.server = cluster.requiredText("server");
        settings.authority = dataOrFile(entry, "certificate-authority");
        settings.insecure = cluster.flag("insecure-skip-tls-verify")
                ? new ConfigValue("true", cluster.origin() + ".insecure-skip-tls-verify") : null;
        settings.serverName = cluster.text("tls-server-name");
        settings.proxy = cluster.text("proxy-url");
        settings.compression = !cluster.flag("disable-compression");
    }

    private static void readUser(Entry entry, Entry cluster, ConfigValues settings) {
        YamlSection user = entry.body;
        settings.certificate = dataOrFile(entry, "client-certificate");
        settings.key = inDoubt(dataOrFile(entry, "client-key"));
        settings.token = user.text("token");
        settings.tokenFile = inDoubt(file(entry, "tokenFile"));
        settings.username = user.text("username");
        settings.password = user.text("password");
        settings.exec = user.has("exec") ? ExecPlugin.of(user.section("exec"), entry.file, () -> clusterInfo(cluster)) : null;
        settings.authProvider = user.has("auth-provider") ? user.section("auth-provider") : null;
        settings.impersonate = user.text("as");
        settings.impersonateUid = user.text("as-uid");
        settings.impersonateGroups = user.texts("as-groups");
        YamlSection extra = user.section("as-user-extra");
        var extras = new LinkedHashMap<String, List<String>>();
        for (String key : extra.keys()) {
            extras.put(key, extra.texts(key));
        }
        settings.impersonateExtra = extras;
        settings.impersonateOrigin = user.origin();
    }

    /** The cluster information that a credential plugin may get. */
    private static Map<String, Object> clusterInfo(Entry entry) {
        var info = new LinkedHashMap<String, Object>();
        for (String key : List.of(
                "server", "tls-server-name", "insecure-skip-tls-verify", "certificate-authority-data",
                "proxy-url", "disable-compression")) {
            Object value = entry.body.entries().get(key);
            if (value != null) {
                info.put(key, value);
            }
        }
        ConfigValue authority = file(entry, "certificate-authority");
        if (authority != null && !info.containsKey("certificate-authority-data")) {
            info.put("certificate-authority-data", Base64.getEncoder().encodeToString(WatchedFile.bytes(authority)));
        }
        for (YamlSection extension : entry.body.sections("extensions")) {
            ConfigValue name = extension.text("name");
            Object config = extension.entries().get("extension");
            if (name != null && name.value().equals("client.authentication.k8s.io/exec") && config != null) {
                info.put("config", config);
            }
        }
        return info;
    }

    private static @Nullable ConfigValue dataOrFile(Entry entry, String key) {
        ConfigValue data = entry.body.text(key + "-data");
        return data != null ? data : file(entry, key);
    }

    private static @Nullable ConfigValue file(Entry entry, String key) {
        ConfigValue setting = entry.body.text(key);
        return setting == null ? null : new ConfigValue(setting.besides(entry.file).toString(), setting.origin()).asFile();
    }

    /** Marks a key that is easily confused with the key of the secret itself: {@code token}, or {@code client-key-data}. */
    private static @Nullable ConfigValue inDoubt(@Nullable ConfigValue file) {
        return file == null ? null : file.inDoubt();
    }
}
