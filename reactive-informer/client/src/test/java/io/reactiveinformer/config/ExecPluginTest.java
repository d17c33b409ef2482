package io.reactiveinformer.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** 238: client-go's TestRefreshCreds and its neighbours. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the plugins of these tests are shell scripts")
class ExecPluginTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final Map<String, String> variables = new HashMap<>();

    private Path plugin(String script) throws IOException {
        Path file = Files.writeString(directory.resolve("plugin"), "#!/bin/sh\necho run >> " + directory + "/runs\n" + script + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private long runs() throws IOException {
        return Files.readAllLines(directory.resolve("runs")).size();
    }

    private ClusterConfig kubeconfig(String exec) throws IOException {
        return ClusterConfig.kubeconfig(Files.writeString(directory.resolve("config"), """
                current-context: here
                clusters:
                - name: c
                  cluster:
                    server: https://host:6443
                    extensions: [{name: client.authentication.k8s.io/exec, extension: {audience: us}}]
                users: [{name: u, user: {exec: {%s}}}]
                contexts: [{name: here, context: {cluster: c, user: u}}]
                """.formatted(exec)));
    }

    private Credential.Source credentials(ClusterConfig config) {
        return cluster(config).credentials();
    }

    private Cluster cluster(ClusterConfig config) {
        return config.cluster(new Environment(variables, directory, directory), Cluster.OidcIssuers.none(), clock).block(LIMIT);
    }

    private Credential.Source credentials() throws IOException {
        return credentials(kubeconfig("apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: Never"));
    }

    private static String reply(String status) {
        return "echo '{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":{" + status + "}}'";
    }

    @Test
    void runsOnceForAllWhoAskAndKeepsWhatHasNoEnd() throws IOException {
        plugin("sleep 0.3\n" + reply("\"token\":\"abc\""));
        Credential.Source credentials = credentials();
        StepVerifier.create(Flux.range(0, 50).flatMap(i -> credentials.current(), 50).distinct())
                .expectNext(Credential.bearer("abc")).expectComplete().verify(LIMIT);
        clock.advanceTimeBy(Duration.ofDays(365));
        assertThat(credentials.current().block(LIMIT)).isEqualTo(Credential.bearer("abc"));
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void trimsTheTokenAndRefusesControlCharactersWithin() throws IOException {
        plugin(reply("\"token\":\" abc\\\\n\""));
        assertThat(credentials().current().block(LIMIT)).isEqualTo(Credential.bearer("abc"));

        plugin(reply("\"token\":\"s3cret\\\\r\\\\nX-Evil: 1\""));
        Credential.Source bad = credentials();
        assertThatThrownBy(() -> bad.current().block(LIMIT)).isInstanceOf(ConfigException.class)
                .hasMessageContaining("the plugin's token: expected text on one line").hasMessageNotContaining("s3cret");
    }

    @Test
    void runsAgainShortlyBeforeTheCredentialExpires() throws IOException {
        Instant expiry = Instant.ofEpochMilli(clock.now(TimeUnit.MILLISECONDS)).plusSeconds(600);
        plugin(reply("\"token\":\"t'$(wc -l < " + directory + "/runs | tr -d ' ')'\",\"expirationTimestamp\":\"" + expiry + "\""));
        Credential.Source credentials = credentials();
        assertThat(credentials.current().block(LIMIT)).isEqualTo(Credential.bearer("t1"));
        clock.advanceTimeBy(Duration.ofSeconds(569));
        assertThat(credentials.current().block(LIMIT)).isEqualTo(Credential.bearer("t1"));
        clock.advanceTimeBy(Duration.ofSeconds(1));
        assertBecomes("t2", credentials);
        assertThat(runs()).isEqualTo(2);
    }

    private static void assertBecomes(String token, Credential.Source credentials) {
        Mono<Credential> changed = Mono.defer(credentials::current).filter(Credential.bearer(token)::equals);
        assertThat(changed.repeatWhenEmpty(empty -> empty.delayElements(Duration.ofMillis(20))).block(LIMIT))
                .isEqualTo(Credential.bearer(token));
    }

    @Test
    void whileItRunsAgainNobodyWaits() throws IOException {
        Instant expiry = Instant.ofEpochMilli(clock.now(TimeUnit.MILLISECONDS)).plusSeconds(600);
        plugin("run=$(wc -l < " + directory + "/runs | tr -d ' ')\n[ $run -gt 1 ] && while [ ! -e "
                + directory + "/end ]; do sleep 0.1; done\n"
                + reply("\"token\":\"t'$run'\",\"expirationTimestamp\":\"" + expiry + "\""));
        Credential.Source credentials = credentials();
        assertThat(credentials.current().block(LIMIT)).isEqualTo(Credential.bearer("t1"));
        clock.advanceTimeBy(Duration.ofSeconds(599));
        assertThat(credentials.current().block(Duration.ofSeconds(5))).as("still valid").isEqualTo(Credential.bearer("t1"));
        Files.createFile(directory.resolve("end"));
        assertBecomes("t2", credentials);
    }

    @Test
    void runsAgainWhenTheServerRefused() throws IOException {
        plugin(reply("\"token\":\"t'$(wc -l < " + directory + "/runs | tr -d ' ')'\""));
        Credential.Source credentials = credentials();
        Credential first = credentials.current().block(LIMIT);
        credentials.refused(first);
        credentials.refused(first);
        assertThat(credentials.current().block(LIMIT)).isEqualTo(Credential.bearer("t2"));
    }

    @Test
    void aClientCertificateIsACredentialToo() throws IOException {
        var me = Certificates.authority("ca").issue("me");
        Files.writeString(directory.resolve("reply"), JsonMapper.shared().writeValueAsString(Map.of(
                "apiVersion", "client.authentication.k8s.io/v1",
                "kind", "ExecCredential",
                "status", Map.of("clientCertificateData", me.certificatePem(), "clientKeyData", me.pkcs8Pem()))));
        plugin("cat " + directory + "/reply");
        Credential credential = credentials().current().block(LIMIT);
        assertThat(credential.identity()).isEqualTo(new Credential.Identity(List.of(me.certificate()), me.key()));
        assertThat(credential.authorization()).isNull();
    }

    @Test
    void anExtensionThatContainsItselfIsNamed() throws IOException {
        plugin(reply("\"token\":\"abc\""));
        Path file = directory.resolve("config");
        kubeconfig("apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: Never, provideClusterInfo: true");
        Files.writeString(file, Files.readString(file).replace("{audience: us}", "&itself {audience: *itself}"));
        Credential.Source endless = credentials(ClusterConfig.kubeconfig(file));
        assertThatThrownBy(() -> endless.current().block(LIMIT)).isInstanceOf(ConfigException.class)
                .hasMessageContaining("extension client.authentication.k8s.io/exec cannot be written as JSON");
    }

    /** 238: as client-go, where a static certificate counts more than a plugin's. */
    @Test
    void aCertificateThatIsConfiguredGoesWithThePluginsToken() throws IOException {
        var me = Certificates.authority("ca").issue("me");
        Files.writeString(directory.resolve("me.crt"), me.certificatePem());
        Files.writeString(directory.resolve("me.key"), me.pkcs8Pem());
        plugin(reply("\"token\":\"t'$(wc -l < " + directory + "/runs | tr -d ' ')'\""));
        Credential.Source credentials = credentials(kubeconfig(
                "apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: Never}, client-certificate: me.crt, "
                        + "client-key: me.key, x: {"));
        Credential first = credentials.current().block(LIMIT);
        assertThat(first).isEqualTo(Credential.bearer("t1").withIdentity(new Credential.Identity(List.of(me.certificate()), me.key())));
        credentials.refused(first);
        assertThat(credentials.current().block(LIMIT).authorization()).isEqualTo("Bearer t2");
    }

    @Test
    void tellsThePluginAboutTheClusterWhenAskedTo() throws IOException {
        plugin("echo \"$KUBERNETES_EXEC_INFO\" > " + directory + "/info\necho \"$REGION $1\" >> "
                + directory + "/info\n" + reply("\"token\":\"abc\""));
        credentials(kubeconfig("apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: IfAvailable,"
                        + " provideClusterInfo: true, args: [get-token], env: [{name: REGION, value: eu}]"))
                .current().block(LIMIT);
        List<String> lines = Files.readAllLines(directory.resolve("info"));
        assertThat(JsonMapper.shared().readTree(lines.get(0))).isEqualTo(JsonMapper.shared().readTree("""
                {"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",
                 "spec":{"interactive":false,"cluster":{"server":"https://host:6443","config":{"audience":"us"}}}}"""));
        assertThat(lines.get(1)).isEqualTo("eu get-token");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "exit 3 | exit code 3",
        "echo 's3cret' >&2; exit 1 | exit code 1; what it printed to stderr is not shown, since it may be secret:"
                + " run it by hand, or set REACTIVE_INFORMER_PLUGIN_STDERR=1 in the environment of this process",
        "echo s3cret | it did not print JSON; expected an ExecCredential",
        "echo '{\"kind\":\"Pod\"}' | it printed something else than an ExecCredential of client.authentication.k8s.io/v1",
    })
    void aPluginThatFailsIsNamedWithItsReason(String script, String reason) throws IOException {
        plugin(script);
        fails(reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
        "\"x\":1 | it printed neither a token nor a client certificate",
        "\"clientKeyData\":\"s3cret\" | it printed a certificate without its key, or a key without its certificate; expected both",
        "\"token\":\"s3cret\",\"expirationTimestamp\":\"soon\" | its expirationTimestamp is no RFC 3339 time such as 1970-01-01T00:00:00Z",
    })
    void anIncompleteReplyIsNamed(String status, String reason) throws IOException {
        plugin(reply(status));
        fails(reason);
    }

    private void fails(String reason) throws IOException {
        Credential.Source credentials = credentials();
        assertThatThrownBy(() -> credentials.current().block(LIMIT))
                .isInstanceOf(ConfigException.class)
                .hasMessage(directory + "/config: users[name=u].user.exec: the credential plugin "
                        + directory + "/./plugin failed: " + reason)
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void aPluginThatIsMissingComesWithItsInstallHint() throws IOException {
        Credential.Source credentials = credentials(kubeconfig("apiVersion: client.authentication.k8s.io/v1beta1,"
                + " command: no-such-plugin-anywhere, installHint: 'brew install it'"));
        assertThatThrownBy(() -> credentials.current().block(LIMIT))
                .isInstanceOf(ConfigException.class)
                .hasMessageEndingWith("the credential plugin no-such-plugin-anywhere failed: it cannot be started:"
                        + " there is no program of this name on the PATH of this process.\nbrew install it");
    }

    @Test
    void aPluginWhoseFileIsMissingOrMayNotBeExecutedIsNamedSo() throws IOException {
        Path missing = directory.resolve("missing");
        Path text = Files.writeString(directory.resolve("text"), "no program");
        Path script = Files.writeString(directory.resolve("script"), "#!/no/such/interpreter\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        Map<Path, String> reasons = Map.of(
                missing, "there is no such file.", text, "it is not a file that this process may execute.",
                directory, "it is not a file that this process may execute.");
        for (Path program : reasons.keySet()) {
            Credential.Source credentials =
                    credentials(kubeconfig("apiVersion: client.authentication.k8s.io/v1beta1, command: " + program));
            assertThatThrownBy(() -> credentials.current().block(LIMIT))
                    .hasMessageEndingWith("the credential plugin " + program + " failed: it cannot be started: " + reasons.get(program));
        }
        Credential.Source credentials = credentials(kubeconfig("apiVersion: client.authentication.k8s.io/v1beta1, command: " + script));
        assertThatThrownBy(() -> credentials.current().block(LIMIT)) // the words are Java's
                .hasMessageContaining("it cannot be started: ")
                .satisfies(failure -> assertThat(failure.getMessage()).matches("(?s).*\\S\\."));
    }

    @Test
    void aPluginThatHangsIsEndedWithItsChildren() throws IOException {
        plugin("sleep 1000 & echo $! > " + directory + "/child\nwait");
        hasEnded(pidWrittenByOneThatHangs("child"));
    }

    /** Its time limit doubles until it is long enough to write the file, also beside other work. */
    private long pidWrittenByOneThatHangs(String file) throws IOException {
        var hanging = new ExecPlugin("client.authentication.k8s.io/v1", List.of(directory.resolve("plugin").toString()),
                Map.of(), null, null, "exec");
        String pid = "";
        for (int seconds = 1; seconds <= 16 && pid.isEmpty(); seconds *= 2) {
            String reason = "it took longer than " + seconds + " s";
            StepVerifier.create(hanging.credentials(clock, Duration.ofSeconds(seconds), false, Disposables.composite()).get())
                    .expectErrorSatisfies(failure -> assertThat(failure).hasMessageEndingWith(reason))
                    .verify(LIMIT);
            Path written = directory.resolve(file);
            pid = Files.exists(written) ? Files.readString(written).strip() : "";
        }
        return Long.parseLong(pid);
    }

    @Test
    void aPluginThatHangsIsEndedWithTheChildrenOfItsChildren() throws IOException {
        plugin("(sleep 1000 & echo $! > " + directory + "/grandchild; wait) &\nwait");
        hasEnded(pidWrittenByOneThatHangs("grandchild"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"echo 1 > other", "(trap '' TERM INT HUP; sleep 1000) & echo $! > other"})
    void aPluginThatRunsEndsWhenItsClusterIsClosed(String starts) throws IOException {
        plugin("cd " + directory + "\n" + starts + "\necho $$ > plugin.pid.new; mv plugin.pid.new plugin.pid\nsleep 1000");
        Cluster cluster = cluster(kubeconfig("apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: Never"));
        StepVerifier.create(cluster.credentials().current().doOnSubscribe(subscription -> closeOnceRunning(cluster)))
                .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(ConfigException.class)
                        .hasMessageEndingWith("it was ended, since the client was closed or this process ends"))
                .verify(LIMIT);
        hasEnded(Long.parseLong(Files.readString(directory.resolve("plugin.pid")).strip()));
        if (starts.contains("sleep")) {
            hasEnded(Long.parseLong(Files.readString(directory.resolve("other")).strip()));
        }
        StepVerifier.create(cluster.credentials().current()).expectError(ConfigException.class).verify(LIMIT);
        assertThat(runs()).isEqualTo(1);
    }

    private void closeOnceRunning(Cluster cluster) {
        Mono.fromCallable(() -> Files.exists(directory.resolve("plugin.pid")))
                .subscribeOn(Schedulers.boundedElastic())
                .filter(running -> running)
                .repeatWhenEmpty(absent -> absent.delayElements(Duration.ofMillis(20)))
                .then(cluster.close())
                .subscribe();
    }

    @RepeatedTest(5)
    void closingWhileAnotherThreadKillsLeavesNoChildRunning() throws Exception {
        plugin("cd " + directory + "\nsleep 1000 & echo $! > child\necho $$ > plugin.new; mv plugin.new plugin.pid\nsleep 1000");
        var command = List.of(directory.resolve("plugin").toString());
        var run = new ExecRun(new ExecPlugin("client.authentication.k8s.io/v1", command, Map.of(), null, null, "exec"), LIMIT, false);
        var running = new Thread(() -> assertThatThrownBy(run::output).isInstanceOf(InterruptedException.class));
        running.start();
        while (!Files.exists(directory.resolve("plugin.pid"))) {
            Thread.onSpinWait();
        }
        long plugin = Long.parseLong(Files.readString(directory.resolve("plugin.pid")).strip());
        running.interrupt();
        while (runs(plugin)) {
            Thread.onSpinWait();
        }
        run.dispose();
        hasEnded(Long.parseLong(Files.readString(directory.resolve("child")).strip()));
        running.join();
    }

    private static void hasEnded(long pid) {
        Mono.fromCallable(() -> runs(pid)).filter(running -> !running)
                .repeatWhenEmpty(running -> running.delayElements(Duration.ofMillis(20))).block(Duration.ofSeconds(10));
    }

    /** A process that has ended is listed until its parent asks for it, which may take long for an orphan; but it has no environment. */
    private static boolean runs(long pid) {
        if (!Files.isDirectory(Path.of("/proc/self"))) {
            return ProcessHandle.of(pid).isPresent();
        }
        try {
            return !Files.readString(Path.of("/proc", Long.toString(pid), "environ"), StandardCharsets.ISO_8859_1).isEmpty();
        } catch (IOException gone) {
            return false;
        }
    }

    /** An agent, say, that keeps a login; it has the plugin's output open. */
    @Test
    void whatAPluginLeavesRunningIsNotWaitedFor() throws IOException {
        plugin("sleep 1000 &\necho $! > " + directory + "/agent\n" + reply("\"token\":\"abc\"") + "\nsleep 0.3");
        assertThat(credentials().current().block(LIMIT)).isEqualTo(Credential.bearer("abc"));
        ProcessHandle agent = ProcessHandle.of(Long.parseLong(Files.readString(directory.resolve("agent")).strip())).orElseThrow();
        assertThat(agent.isAlive()).isTrue();
        agent.destroyForcibly();
    }

    /** More than a pipe holds: it would wait for ever for someone to read. */
    @Test
    void aPluginMayComplainAtAnyLength() throws IOException {
        String complaints =
                "i=0; while [ $i -lt 2000 ]; do echo 'a line of a hundred characters or so, as a trace of a program that was asked to be "
                + "verbose has it' >&2; i=$((i+1)); done\n";
        plugin(complaints + reply("\"token\":\"abc\""));
        assertThat(credentials().current().block(LIMIT)).isEqualTo(Credential.bearer("abc"));
        plugin(complaints + "exit 1");
        variables.put(ExecPlugin.STDERR, "1");
        Credential.Source failing = credentials();
        assertThatThrownBy(() -> failing.current().block(LIMIT))
                .isInstanceOf(ConfigException.class).hasMessageContaining("exit code 1: a line of a hundred")
                .satisfies(failure -> assertThat(failure.getMessage()).hasSizeLessThan(1000));
    }

    @Test
    void aPluginThatPrintsWithoutEndIsEnded() throws IOException {
        plugin("yes s3cret");
        fails("it printed more than 1048576 bytes");
    }

    @Test
    void thePluginsComplaintsAreShownOnRequestWithoutConfiguredValues() throws IOException {
        variables.put(ExecPlugin.STDERR, "1");
        plugin("echo \"cannot log in as $WHO with $1\" >&2; echo \"in $REGION, not $WHO-2\" >&2; exit 1");
        Credential.Source credentials =
                credentials(kubeconfig("apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: Never,"
                + " args: ['--client-secret=s3cret-user-2'], env: [{name: WHO, value: s3cret-user}, {name: REGION, value: eu}]"));
        assertThatThrownBy(() -> credentials.current().block(LIMIT))
                .hasMessageEndingWith("failed: exit code 1: cannot log in as […] with --client-secret=[…] in eu, not […]")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void thePluginsComplaintsAreOnePrintableLineOfBoundedLength() throws IOException {
        variables.put(ExecPlugin.STDERR, "1");
        plugin("printf 'one\\r\\ntwo\\302\\205three\\342\\200\\250four\\033[31m\\342\\200\\256five ' >&2; exit 1");
        Credential.Source unprintable = credentials();
        assertThatThrownBy(() -> unprintable.current().block(LIMIT)).hasMessageEndingWith("exit code 1: one two three four [31m five");

        plugin("printf '%01000d' 0 >&2; exit 1");
        Credential.Source endless = credentials();
        assertThatThrownBy(() -> endless.current().block(LIMIT)).hasMessageEndingWith("exit code 1: " + "0".repeat(499) + "…");
    }

    /** It may lie in a directory that only others can read. */
    @Test
    void theAuthoritysFileIsNotReadForAPluginThatDoesNotReceiveIt() throws IOException {
        plugin(reply("\"token\":\"abc\""));
        String exec = "apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: Never";
        ClusterConfig without = kubeconfig(exec);
        Path file = directory.resolve("config");
        Files.writeString(file, Files.readString(file).replace("server: ", "certificate-authority: /nowhere\n    server: "));
        assertThat(credentials(without).current().block(LIMIT)).isEqualTo(Credential.bearer("abc"));

        ClusterConfig with = kubeconfig(exec + ", provideClusterInfo: true");
        Files.writeString(file, Files.readString(file).replace("server: ", "certificate-authority: /nowhere\n    server: "));
        assertThatThrownBy(() -> credentials(with)).isInstanceOf(ConfigException.class)
                .hasMessage(file + ": clusters[name=c].cluster.certificate-authority: there is no file /nowhere");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "command: x, interactiveMode: Never | .apiVersion: expected text, found nothing",
        "apiVersion: client.authentication.k8s.io/v1alpha1, command: x | .apiVersion: expected one of [client.authentication.k8s.io/v1, "
                + "client.authentication.k8s.io/v1beta1]",
        "apiVersion: client.authentication.k8s.io/v1, command: x | .interactiveMode: expected Never, IfAvailable or Always, found nothing",
        "apiVersion: client.authentication.k8s.io/v1, command: x, interactiveMode: Always | .interactiveMode: the plugin requires a person "
                + "at a terminal, and there is none here; expected Never or IfAvailable",
        "apiVersion: client.authentication.k8s.io/v1, command: x, interactiveMode: never | .interactiveMode: expected Never, IfAvailable "
                + "or Always, found something else",
        "apiVersion: client.authentication.k8s.io/v1beta1, command: x, env: [{name: A=s3cret, value: y}] | .env[0].name: expected the "
                + "name of an environment variable, which contains no =",
        "apiVersion: client.authentication.k8s.io/v1beta1, command: x, env: [{name: A, value: \"s3cret\\0\"}] | .env[0].value: expected "
                + "text, found a NUL character within it",
        "apiVersion: client.authentication.k8s.io/v1beta1, command: x, env: [{name: A, value: 1.10}] | .env[0].value: expected text, "
                + "found a number; quotes make it text",
        "apiVersion: client.authentication.k8s.io/v1beta1, command: \"./x\\0s3cret\" | .command: expected text, found a NUL character "
                + "within it",
        "apiVersion: client.authentication.k8s.io/v1beta1, command: x, args: [\"s3cret\\0\"] | .args: expected a list of texts, found a "
                + "NUL character within it",
        "apiVersion: client.authentication.k8s.io/v1beta1, command: x, args: [true] | .args: expected a list of texts, found true or "
                + "false; quotes make it text",
        "apiVersion: client.authentication.k8s.io/v1beta1 | .command: expected text, found nothing",
        "apiVersion: client.authentication.k8s.io/v1beta1, command: x, env: [{value: y}] | .env[0].name: expected text, found nothing",
    })
    void aWrongConfigurationIsNamedByItsKey(String exec, String message) throws IOException {
        ClusterConfig config = kubeconfig(exec);
        assertThatThrownBy(() -> credentials(config)).isInstanceOf(ConfigException.class)
                .hasMessage(directory + "/config: users[name=u].user.exec" + message).hasNoCause();
    }

    /** 238: TestAuthorizationHeaderPresentCancelsExecAction. */
    @Test
    void aTokenThatIsConfiguredSparesThePlugin() throws IOException {
        plugin("exit 1");
        assertThat(credentials(kubeconfig("apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: Never")
                .token("mine"))
                .current().block(LIMIT)).isEqualTo(Credential.bearer("mine"));
    }
}
