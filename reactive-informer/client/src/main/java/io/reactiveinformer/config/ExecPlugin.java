package io.reactiveinformer.config;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A credential plugin: a program that prints a credential, run as kubectl runs it.
 *
 * @param clusterInfo the cluster information passed to the program; null for none
 * @param origin where it is configured, for messages
 * @see <a href="https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins">Kubernetes:
 *     credential plugins</a>
 */
record ExecPlugin(
        String apiVersion,
        List<String> command,
        Map<String, String> environment,
        @Nullable String installHint,
        @Nullable Map<String, Object> clusterInfo,
        String origin) {

    /** Long enough for a sign-in over a slow line. */
    static final Duration TIME_LIMIT = Duration.ofSeconds(60);

    /** A variable of this process: if it is set, failures quote the plugin's stderr. */
    static final String STDERR = "REACTIVE_INFORMER_PLUGIN_STDERR";

    /** A shorter value, such as a region, would be found within other words. */
    private static final int SHORTEST_SECRET = 6;
    private static final String GROUP = "client.authentication.k8s.io/";
    private static final Set<String> VERSIONS = Set.of(GROUP + "v1", GROUP + "v1beta1");
    /** A credential is renewed this long before it expires, or a quarter of its lifetime before, whichever is shorter. */
    private static final Duration LEEWAY = Duration.ofSeconds(30);

    /**
     * @param file that contains {@code exec}: a command with a path is relative to it
     * @param cluster the cluster information for the program; called only if the program receives it
     */
    static ExecPlugin of(YamlSection exec, Path file, Supplier<Map<String, Object>> cluster) {
        String apiVersion = exec.requiredText("apiVersion").value();
        if (!VERSIONS.contains(apiVersion)) {
            throw new ConfigException(exec.origin() + ".apiVersion: expected one of " + VERSIONS.stream().sorted().toList());
        }
        checkMode(exec, apiVersion);
        ConfigValue program = exec.requiredText("command");
        var command = new ArrayList<String>();
        command.add(program.value().contains(File.separator) ? program.besides(file).toString() : program.value());
        command.addAll(exec.texts("args"));
        var environment = new LinkedHashMap<String, String>();
        for (YamlSection variable : exec.sections("env")) {
            ConfigValue name = variable.requiredText("name");
            if (name.value().contains("=")) {
                throw new ConfigException(name + ": expected the name of an environment variable, which contains no =");
            }
            ConfigValue value = variable.text("value");
            environment.put(name.value(), value == null ? "" : value.value());
        }
        ConfigValue hint = exec.text("installHint");
        return new ExecPlugin(
                apiVersion, List.copyOf(command), environment, hint == null ? null : hint.value(),
                exec.flag("provideClusterInfo") ? cluster.get() : null,
                exec.origin());
    }

    private static void checkMode(YamlSection exec, String apiVersion) {
        ConfigValue mode = exec.text("interactiveMode");
        if (mode == null) {
            if (apiVersion.endsWith("/v1")) {
                throw new ConfigException(exec.origin() + ".interactiveMode: expected Never, IfAvailable or Always, found nothing");
            }
            return;
        }
        switch (mode.value()) {
            case "Never", "IfAvailable" -> { }
            case "Always" -> throw new ConfigException(
                    mode + ": the plugin requires a person at a terminal, and there is none here; expected Never or IfAvailable");
            default -> throw new ConfigException(mode + ": expected Never, IfAvailable or Always, found something else");
        }
    }

    /** {@code text} without the configured values of variables and arguments, each of which may be secret. */
    String withoutConfigured(String text) {
        Stream<String> arguments = command.stream().skip(1).map(argument -> argument.substring(argument.indexOf('=') + 1));
        List<String> longestFirst = Stream.concat(environment.values().stream(), arguments)
                .filter(value -> value.length() >= SHORTEST_SECRET)
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
        String left = text;
        for (String value : longestFirst) {
            left = left.replace(value, "[…]");
        }
        return left;
    }

    /**
     * Runs the program when a credential is needed, and again before that one expires.
     *
     * @param stderr whether failures quote its stderr
     * @param runs contains each run while it lasts; once disposed, it prevents further runs
     */
    Renewable<Credential> credentials(Scheduler clock, Duration timeLimit, boolean stderr, Disposable.Composite runs) {
        return new Renewable<>(
                Mono.fromCallable(() -> {
                    var run = new ExecRun(this, timeLimit, stderr);
                    runs.add(run);
                    try {
                        return read(run.output(), clock);
                    } finally {
                        runs.remove(run);
                    }
                }).subscribeOn(Schedulers.boundedElastic()), clock);
    }

    /** The value of {@code KUBERNETES_EXEC_INFO}. */
    String input() {
        var spec = new LinkedHashMap<String, Object>();
        spec.put("interactive", false);
        if (clusterInfo != null) {
            spec.put("cluster", clusterInfo);
        }
        try {
            return JsonMapper.shared().writeValueAsString(Map.of("apiVersion", apiVersion, "kind", "ExecCredential", "spec", spec));
        } catch (JacksonException unwritable) { // YAML may refer to itself
            throw wrong("its cluster's extension client.authentication.k8s.io/exec cannot be written as JSON; does it contain itself?");
        }
    }

    private Renewable.Lease<Credential> read(byte[] output, Scheduler clock) {
        JsonNode reply;
        try {
            reply = JsonMapper.shared().readTree(output);
        } catch (JacksonException malformed) { // its message quotes what may be a token
            throw wrong("it did not print JSON; expected an ExecCredential");
        }
        if (!reply.path("kind").asString("").equals("ExecCredential") || !reply.path("apiVersion").asString("").equals(apiVersion)) {
            throw wrong("it printed something else than an ExecCredential of " + apiVersion);
        }
        JsonNode status = reply.path("status");
        String token = status.path("token").asString("").strip();
        String certificate = status.path("clientCertificateData").asString("");
        String key = status.path("clientKeyData").asString("");
        if (certificate.isEmpty() != key.isEmpty()) {
            throw wrong("it printed a certificate without its key, or a key without its certificate; expected both");
        }
        if (token.isEmpty() && key.isEmpty()) {
            throw wrong("it printed neither a token nor a client certificate");
        }
        Credential.Identity identity = key.isEmpty() ? null : Pem.identity(
                certificate.getBytes(StandardCharsets.UTF_8), origin + ": the plugin's certificate",
                key.getBytes(StandardCharsets.UTF_8), origin + ": the plugin's key");
        Credential credential = (token.isEmpty() ? Credential.none() : Credential.bearer(token, origin + ": the plugin's token"))
                .withIdentity(identity);
        return lease(credential, status.path("expirationTimestamp").asString(""), clock.now(TimeUnit.MILLISECONDS));
    }

    private Renewable.Lease<Credential> lease(Credential credential, String expiration, long now) {
        if (expiration.isEmpty()) {
            return Renewable.Lease.forEver(credential);
        }
        try {
            long until = OffsetDateTime.parse(expiration).toInstant().toEpochMilli();
            long leeway = Math.min(LEEWAY.toMillis(), Math.max(0, until - now) / 4);
            return Renewable.Lease.until(credential, until - leeway, until);
        } catch (DateTimeParseException malformed) {
            throw wrong("its expirationTimestamp is no RFC 3339 time such as " + Instant.EPOCH);
        }
    }

    ConfigException wrong(String what) {
        return new ConfigException(origin + ": the credential plugin " + command.get(0) + " failed: " + what);
    }

    /** Arguments and variables may be secret. */
    @Override
    public String toString() {
        return "ExecPlugin[" + command.get(0) + "]";
    }
}
