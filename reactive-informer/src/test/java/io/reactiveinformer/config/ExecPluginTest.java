package io.reactiveinformer.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
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

    private CredentialSource credentials(ClusterConfig config) {
        return config.cluster(new Environment(Map.of(), directory, directory), clock).block(LIMIT).credentials();
    }

    private CredentialSource credentials() throws IOException {
        return credentials(kubeconfig("apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: Never"));
    }

    private static String reply(String status) {
        return "echo '{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":{" + status + "}}'";
    }

    @Test
    void runsOnceForAllWhoAskAndKeepsWhatHasNoEnd() throws IOException {
        plugin("sleep 0.3\n" + reply("\"token\":\"abc\""));
        CredentialSource credentials = credentials();
        StepVerifier.create(Flux.range(0, 50).flatMap(i -> credentials.current(), 50).distinct())
                .expectNext(Credential.bearer("abc")).expectComplete().verify(LIMIT);
        clock.advanceTimeBy(Duration.ofDays(365));
        assertThat(credentials.current().block(LIMIT)).isEqualTo(Credential.bearer("abc"));
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void takesItsTokenWithoutTheWhiteSpaceAroundItAndRefusesControlWithin() throws IOException {
        plugin(reply("\"token\":\" abc\\\\n\""));
        assertThat(credentials().current().block(LIMIT)).isEqualTo(Credential.bearer("abc"));

        plugin(reply("\"token\":\"s3cret\\\\r\\\\nX-Evil: 1\""));
        CredentialSource bad = credentials();
        assertThatThrownBy(() -> bad.current().block(LIMIT)).isInstanceOf(ConfigException.class)
                .hasMessageContaining("the plugin's token: expected text on one line").hasMessageNotContaining("s3cret");
    }

    @Test
    void runsAgainShortlyBeforeTheCredentialExpires() throws IOException {
        Instant expiry = Instant.ofEpochMilli(clock.now(TimeUnit.MILLISECONDS)).plusSeconds(600);
        plugin(reply("\"token\":\"t'$(wc -l < " + directory + "/runs | tr -d ' ')'\",\"expirationTimestamp\":\"" + expiry + "\""));
        CredentialSource credentials = credentials();
        assertThat(credentials.current().block(LIMIT)).isEqualTo(Credential.bearer("t1"));
        clock.advanceTimeBy(Duration.ofSeconds(569));
        assertThat(credentials.current().block(LIMIT)).isEqualTo(Credential.bearer("t1"));
        clock.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(credentials.current().block(LIMIT)).isEqualTo(Credential.bearer("t2"));
    }

    @Test
    void runsAgainWhenTheServerRefused() throws IOException {
        plugin(reply("\"token\":\"t'$(wc -l < " + directory + "/runs | tr -d ' ')'\""));
        CredentialSource credentials = credentials();
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
        assertThat(credential.identity()).isEqualTo(new ClientIdentity(List.of(me.certificate()), me.key()));
        assertThat(credential.authorization()).isNull();
    }

    /** 238: as client-go, where a static certificate counts more than a plugin's. */
    @Test
    void aCertificateThatIsConfiguredGoesWithThePluginsToken() throws IOException {
        var me = Certificates.authority("ca").issue("me");
        Files.writeString(directory.resolve("me.crt"), me.certificatePem());
        Files.writeString(directory.resolve("me.key"), me.pkcs8Pem());
        plugin(reply("\"token\":\"t'$(wc -l < " + directory + "/runs | tr -d ' ')'\""));
        CredentialSource credentials = credentials(kubeconfig(
                "apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: Never}, client-certificate: me.crt, client-key: me.key, x: {"));
        Credential first = credentials.current().block(LIMIT);
        assertThat(first).isEqualTo(Credential.bearer("t1").withIdentity(new ClientIdentity(List.of(me.certificate()), me.key())));
        credentials.refused(first);
        assertThat(credentials.current().block(LIMIT).authorization()).isEqualTo("Bearer t2");
    }

    @Test
    void tellsThePluginAboutTheClusterWhenAskedTo() throws IOException {
        plugin("echo \"$KUBERNETES_EXEC_INFO\" > " + directory + "/info\necho \"$REGION $1\" >> " + directory + "/info\n" + reply("\"token\":\"abc\""));
        credentials(kubeconfig("apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: IfAvailable,"
                        + " provideClusterInfo: true, args: [get-token], env: [{name: REGION, value: eu}]"))
                .current().block(LIMIT);
        List<String> told = Files.readAllLines(directory.resolve("info"));
        assertThat(JsonMapper.shared().readTree(told.get(0))).isEqualTo(JsonMapper.shared().readTree("""
                {"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",
                 "spec":{"interactive":false,"cluster":{"server":"https://host:6443","config":{"audience":"us"}}}}"""));
        assertThat(told.get(1)).isEqualTo("eu get-token");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "exit 3 | exit code 3",
        "echo 'please log in' >&2; exit 1 | exit code 1: please log in",
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
        CredentialSource credentials = credentials();
        assertThatThrownBy(() -> credentials.current().block(LIMIT))
                .isInstanceOf(ConfigException.class)
                .hasMessage(directory + "/config: users[name=u].user.exec: the credential plugin " + directory + "/./plugin failed: " + reason)
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void aPluginThatIsMissingComesWithItsInstallHint() throws IOException {
        CredentialSource credentials = credentials(kubeconfig("apiVersion: client.authentication.k8s.io/v1beta1,"
                + " command: no-such-plugin-anywhere, installHint: 'brew install it'"));
        assertThatThrownBy(() -> credentials.current().block(LIMIT))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("the credential plugin no-such-plugin-anywhere failed: it cannot be started: ")
                .hasMessageEndingWith("\nbrew install it");
    }

    @Test
    void aPluginThatHangsIsEndedWithItsChildren() throws IOException {
        plugin("sleep 1000 & echo $! > " + directory + "/child\nwait");
        var hanging = new ExecPlugin("client.authentication.k8s.io/v1", List.of(directory.resolve("plugin").toString()), Map.of(), null, null, "exec");
        Mono<Credential> credential = hanging.credentials(clock, Duration.ofSeconds(1)).get();
        StepVerifier.create(credential)
                .expectErrorSatisfies(failure -> assertThat(failure).hasMessageEndingWith("it took longer than 1 s"))
                .verify(LIMIT);
        long child = Long.parseLong(Files.readString(directory.resolve("child")).strip());
        assertThat(ProcessHandle.of(child).filter(ProcessHandle::isAlive)
                .map(process -> process.onExit().orTimeout(10, TimeUnit.SECONDS).join().isAlive()).orElse(false)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "command: x, interactiveMode: Never | .apiVersion: expected text, found nothing",
        "apiVersion: client.authentication.k8s.io/v1alpha1, command: x | .apiVersion: expected one of [client.authentication.k8s.io/v1, client.authentication.k8s.io/v1beta1]",
        "apiVersion: client.authentication.k8s.io/v1, command: x | .interactiveMode: expected Never, IfAvailable or Always, found nothing",
        "apiVersion: client.authentication.k8s.io/v1, command: x, interactiveMode: Always | .interactiveMode: the plugin wants to talk to a person, and there is none here; expected Never or IfAvailable",
        "apiVersion: client.authentication.k8s.io/v1beta1 | .command: expected text, found nothing",
        "apiVersion: client.authentication.k8s.io/v1beta1, command: x, env: [{value: y}] | .env[0].name: expected text, found nothing",
    })
    void aWrongConfigurationIsNamedByItsKey(String exec, String message) throws IOException {
        ClusterConfig config = kubeconfig(exec);
        assertThatThrownBy(() -> credentials(config)).hasMessage(directory + "/config: users[name=u].user.exec" + message);
    }

    /** 238: TestAuthorizationHeaderPresentCancelsExecAction. */
    @Test
    void aTokenThatIsConfiguredSparesThePlugin() throws IOException {
        plugin("exit 1");
        assertThat(credentials(kubeconfig("apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: Never").token("mine"))
                .current().block(LIMIT)).isEqualTo(Credential.bearer("mine"));
    }
}
