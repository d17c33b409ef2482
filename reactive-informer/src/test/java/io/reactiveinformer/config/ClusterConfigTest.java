package io.reactiveinformer.config;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Numbers are those of client-go's scenarios (semantics inventory, 8.14). */
class ClusterConfigTest {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    @TempDir
    Path directory;

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final Map<String, String> variables = new HashMap<>();
    private Environment environment;

    @BeforeEach
    void anEmptyEnvironment() {
        environment = new Environment(variables, directory.resolve("home"), directory.resolve("serviceaccount"));
    }

    private Path file(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private Cluster read(ClusterConfig config) {
        return config.cluster(environment, clock).block(LIMIT);
    }

    private static String authorization(Cluster cluster) {
        return cluster.credentials().current().block(LIMIT).authorization();
    }

    private static String kubeconfig(String cluster, String user) {
        return """
                apiVersion: v1
                kind: Config
                current-context: here
                clusters:
                - name: c
                  cluster: {%s}
                users:
                - name: u
                  user: {%s}
                contexts:
                - name: here
                  context: {cluster: c, user: u, namespace: prod}
                """.formatted(cluster, user);
    }

    @ParameterizedTest
    @CsvSource({
        "https://host:6443, https://host:6443",
        "https://host, https://host:443",
        "http://127.0.0.1:8001/, http://127.0.0.1:8001",
        "host:6443, https://host:6443",
        "https://[::1]:6443, https://[::1]:6443",
        "https://rancher/k8s/clusters/c-1/, https://rancher:443/k8s/clusters/c-1",
    })
    void anAddressMayBeWrittenInManyWays(String written, String meant) {
        assertThat(read(ClusterConfig.of(written)).server()).isEqualTo(URI.create(meant));
    }

    @ParameterizedTest
    @CsvSource({"ftp://host", "https://", "'https://ho st'", "https://host/?token=s3cret", "https://u:s3cret@ho st"})
    void aWrongAddressIsRefusedWithoutQuotingIt(String written) {
        assertThatThrownBy(() -> read(ClusterConfig.of(written)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("ClusterConfig.of: expected an address")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void readsAContextOfAKubeconfig() throws IOException {
        Path file = file("config", kubeconfig("server: 'https://host:6443'", "token: abc"));
        Cluster cluster = read(ClusterConfig.kubeconfig(file));
        assertThat(cluster.server()).isEqualTo(URI.create("https://host:6443"));
        assertThat(cluster.namespace()).isEqualTo("prod");
        assertThat(authorization(cluster)).isEqualTo("Bearer abc");
    }

    @Test
    void theContextCanBeChosen() throws IOException {
        Path file = file("config", """
                current-context: a
                clusters: [{name: a, cluster: {server: 'https://a'}}, {name: b, cluster: {server: 'https://b'}}]
                contexts: [{name: a, context: {cluster: a}}, {name: b, context: {cluster: b}}]
                """);
        assertThat(read(ClusterConfig.kubeconfig(file)).server().getHost()).isEqualTo("a");
        assertThat(read(ClusterConfig.kubeconfig(file).context("b")).server().getHost()).isEqualTo("b");
        assertThatThrownBy(() -> read(ClusterConfig.kubeconfig(file).context("c")))
                .hasMessage("the context that was asked for: there is no context \"c\"; there are: [a, b]");
    }

    /** 220: TestNonExistentCommandLineFile, TestToleratingMissingFiles. */
    @Test
    void anExplicitFileMustExistButThoseOfTheVariableNeedNot() throws IOException {
        Path missing = directory.resolve("nowhere");
        assertThatThrownBy(() -> read(ClusterConfig.kubeconfig(missing)))
                .hasMessage(missing + ": there is no such file; expected a kubeconfig");
        Path there = file("config", kubeconfig("server: 'https://host'", "token: abc"));
        variables.put("KUBECONFIG", missing + File.pathSeparator + there);
        assertThat(read(ClusterConfig.detect()).server().getHost()).isEqualTo("host");
    }

    /** 220: TestErrorReadingNonFile. */
    @Test
    void aDirectoryIsNoKubeconfig() {
        assertThatThrownBy(() -> read(ClusterConfig.kubeconfig(directory))).hasMessage(directory + ": cannot be read as a kubeconfig");
    }

    /** 221. */
    @ParameterizedTest
    @CsvSource({"clusters, cluster", "users, user", "contexts, context"})
    void aNameMayStandOnlyOnceInAFile(String list, String body) throws IOException {
        Path file = file("config", list + ": [{name: x, " + body + ": {}}, {name: x, " + body + ": {}}]");
        assertThatThrownBy(() -> read(ClusterConfig.kubeconfig(file)))
                .hasMessage(file + ": " + list + ": the name x stands there twice; expected each once");
    }

    /** 7.7, 2: whole entries of the first file that has them; 228: TestDeduplicate. Nothing here writes a kubeconfig. */
    @Test
    void ofSeveralFilesTheFirstWinsForEachName() throws IOException {
        Path one = file("one", """
                current-context: ctx
                clusters: [{name: c, cluster: {server: 'https://one', tls-server-name: x}}]
                contexts: [{name: ctx, context: {cluster: c, user: u}}]
                """);
        Path two = file("two", """
                current-context: other
                clusters: [{name: c, cluster: {server: 'https://two', proxy-url: 'http://proxy:3128'}}]
                users: [{name: u, user: {token: two}}]
                """);
        Cluster cluster = read(ClusterConfig.kubeconfig(one, two, one));
        assertThat(cluster.server().getHost()).isEqualTo("one");
        assertThat(cluster.proxy()).as("entries are not mixed").isNull();
        assertThat(authorization(cluster)).isEqualTo("Bearer two");
    }

    /** 222: TestResolveRelativePaths. */
    @Test
    void relativePathsAreRelativeToTheirFile() throws IOException {
        var authority = Certificates.authority("ca");
        var me = authority.issue("me");
        file("a/pki/ca.crt", authority.self().certificatePem());
        file("b/me.crt", me.certificatePem());
        file("b/me.key", me.pkcs8Pem());
        Path one = file("a/config", """
                current-context: ctx
                clusters: [{name: c, cluster: {server: 'https://host', certificate-authority: pki/ca.crt}}]
                contexts: [{name: ctx, context: {cluster: c, user: u}}]
                """);
        Path two = file("b/config", "users: [{name: u, user: {client-certificate: me.crt, client-key: ./me.key}}]");
        Endpoint endpoint = read(ClusterConfig.kubeconfig(one, two)).endpoint().block(LIMIT);
        assertThat(endpoint.trust().authorities()).containsExactly(authority.self().certificate());
        assertThat(endpoint.identity()).isEqualTo(new ClientIdentity(List.of(me.certificate()), me.key()));
    }

    /** 224: TestCertificateData. */
    @Test
    void dataBeatsFiles() throws IOException {
        var authority = Certificates.authority("ca");
        var me = authority.issue("me");
        Path file = file("config", kubeconfig(
                "server: 'https://host', certificate-authority: /nowhere, certificate-authority-data: " + base64(authority.self().certificatePem()),
                "client-certificate: /nowhere, client-certificate-data: " + base64(me.certificatePem())
                        + ", client-key: /nowhere, client-key-data: " + base64(me.pkcs8Pem())));
        Endpoint endpoint = read(ClusterConfig.kubeconfig(file)).endpoint().block(LIMIT);
        assertThat(endpoint.trust().authorities()).containsExactly(authority.self().certificate());
        assertThat(endpoint.identity().key()).isEqualTo(me.key());
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** 224: TestBasicAuthData. */
    @Test
    void basicAuthenticationIsAHeaderToo() throws IOException {
        Path file = file("config", kubeconfig("server: 'https://host'", "username: me, password: 'p:w'"));
        assertThat(authorization(read(ClusterConfig.kubeconfig(file)))).isEqualTo("Basic " + base64("me:p:w"));
    }

    /** 224: TestBasicTokenFile; 7.9. */
    @Test
    void aTokenFileIsReadAgainAfterAMinuteAndKeptWhileItCannotBe() throws IOException {
        Path token = file("token", "one\n");
        Path file = file("config", kubeconfig("server: 'https://host'", "tokenFile: token"));
        Cluster cluster = read(ClusterConfig.kubeconfig(file));
        assertThat(authorization(cluster)).isEqualTo("Bearer one");
        Files.writeString(token, "two");
        clock.advanceTimeBy(Duration.ofSeconds(59));
        assertThat(authorization(cluster)).isEqualTo("Bearer one");
        clock.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(authorization(cluster)).isEqualTo("Bearer two");
        Files.delete(token);
        clock.advanceTimeBy(Duration.ofHours(1));
        assertThat(authorization(cluster)).isEqualTo("Bearer two");
    }

    /** What YAML calls a block ends in a line break. */
    @Test
    void takesATokenWithoutTheWhiteSpaceAroundIt() throws IOException {
        Path file = file("config", kubeconfig("server: 'https://host'", "token: \" abc\\n\""));

        assertThat(authorization(read(ClusterConfig.kubeconfig(file)))).isEqualTo("Bearer abc");
        assertThat(authorization(read(ClusterConfig.of("https://host").token("abc\r\n")))).isEqualTo("Bearer abc");
    }

    @Test
    void refusesATokenThatWouldBeASecondHeader() throws IOException {
        String bad = "s3cret\r\nX-Evil: 1";
        Path file = file("config", kubeconfig("server: 'https://host'", "token: \"s3cret\\r\\nX-Evil: 1\""));
        Path byFile = file("other", kubeconfig("server: 'https://host'", "tokenFile: token"));
        file("token", bad);
        String why = ": expected text on one line; found a line break or another control character within it";

        assertThatThrownBy(() -> read(ClusterConfig.kubeconfig(file)))
                .isInstanceOf(ConfigException.class).hasMessage(file + ": users[name=u].user.token" + why);
        assertThatThrownBy(() -> authorization(read(ClusterConfig.kubeconfig(byFile)))).isInstanceOf(ConfigException.class)
                .hasMessage(byFile + ": users[name=u].user.tokenFile: the file " + directory.resolve("token") + why);
        assertThatThrownBy(() -> ClusterConfig.of("https://host").token(bad))
                .isInstanceOf(ConfigException.class).hasMessage("ClusterConfig.token" + why);
        assertThatThrownBy(() -> new Credential("Bearer " + bad, null)).isInstanceOf(ConfigException.class).hasMessageNotContaining("s3cret");
        assertThatThrownBy(() -> read(ClusterConfig.of("https://host").impersonate("jane\r\nX-Evil: 1")))
                .isInstanceOf(ConfigException.class).hasMessage("the user to act as" + why);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 65_536, 99_999})
    void refusesAPortThatCannotBe(int port) {
        assertThatThrownBy(() -> read(ClusterConfig.of("http://127.0.0.1:" + port))).isInstanceOf(ConfigException.class)
                .hasMessage("ClusterConfig.of: expected a port from 1 to 65535, found " + port);
    }

    /** 237: a 401 drops the cached token. */
    @Test
    void aRefusedTokenIsReadAgainAtOnce() throws IOException {
        Path token = file("token", "one");
        Cluster cluster = read(ClusterConfig.kubeconfig(file("config", kubeconfig("server: 'https://host'", "tokenFile: token"))));
        Credential first = cluster.credentials().current().block(LIMIT);
        Files.writeString(token, "two");
        cluster.credentials().refused(first);
        assertThat(authorization(cluster)).isEqualTo("Bearer two");
    }

    @Test
    void aMissingOrEmptyTokenFileIsNamed() throws IOException {
        Path file = file("config", kubeconfig("server: 'https://host'", "tokenFile: token"));
        String origin = file + ": users[name=u].user.tokenFile: ";
        Path token = directory.resolve("token");
        assertThatThrownBy(() -> authorization(read(ClusterConfig.kubeconfig(file)))).hasMessage(origin + "there is no file " + token);
        Files.writeString(token, " \n");
        assertThatThrownBy(() -> authorization(read(ClusterConfig.kubeconfig(file))))
                .hasMessage(origin + "the file " + token + " is empty; expected a token");
    }

    /** 225: validation_test. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "server: 'https://h' | token: s3cret, username: me | expected one way to say who we are, found several: [%f: users[name=u].user.token, %f: users[name=u].user.username]",
        "server: 'https://h' | client-certificate: /a | %f: users[name=u].user.client-certificate: expected both a client certificate and its key, found only this one",
        "server: 'https://h' | client-key-data: s3cret | %f: users[name=u].user.client-key-data: expected both a client certificate and its key, found only this one",
        "server: 'https://h', insecure-skip-tls-verify: true, certificate-authority: /a | token: x | %f: clusters[name=c].cluster.certificate-authority: expected no certificate authority, since insecure-skip-tls-verify ignores it",
        "certificate-authority: /a | token: x | %f: clusters[name=c].cluster.server: expected text, found nothing",
        "server: 'https://h', certificate-authority-data: '***' | token: x | %f: clusters[name=c].cluster.certificate-authority-data: expected a PEM certificate (-----BEGIN CERTIFICATE-----), found none",
        "server: ['https://h'] | token: x | %f: clusters[name=c].cluster.server: expected text, found a list",
        "server: 'https://h', insecure-skip-tls-verify: maybe | token: x | %f: clusters[name=c].cluster.insecure-skip-tls-verify: expected true or false, found a single value",
        "server: 'https://h' | token: {a: s3cret} | %f: users[name=u].user.token: expected text, found a mapping",
    })
    void whatCannotBeMeantIsRefusedByFileAndKey(String cluster, String user, String message) throws IOException {
        Path file = file("config", kubeconfig(cluster, user));
        assertThatThrownBy(() -> read(ClusterConfig.kubeconfig(file)))
                .isInstanceOf(ConfigException.class)
                .hasMessage(message.replace("%f", file.toString()))
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void whatRefersToNothingIsNamed() throws IOException {
        Path file = file("config", """
                current-context: here
                clusters: [{name: c, cluster: {server: 'https://h'}}]
                contexts: [{name: here, context: {cluster: typo}}, {name: there, context: {cluster: c, user: nobody}}]
                """);
        assertThatThrownBy(() -> read(ClusterConfig.kubeconfig(file)))
                .hasMessage(file + ": contexts[name=here].context.cluster: there is no cluster \"typo\"; there are: [c]");
        assertThatThrownBy(() -> read(ClusterConfig.kubeconfig(file).context("there")))
                .hasMessage(file + ": contexts[name=there].context.user: there is no user \"nobody\"; there are: []");
    }

    @Test
    void whatIsNotYamlIsNamedByLineAndNotQuoted() throws IOException {
        Path file = file("config", "clusters:\n- name: x\n  token: \"s3cret\n");
        assertThatThrownBy(() -> read(ClusterConfig.kubeconfig(file)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(file + ": not YAML: line ")
                .satisfies(failure -> assertThat(failure).hasNoCause())
                .hasMessageNotContaining("s3cret");
        for (String unquoted : List.of("*s3cret", "!s3cret", "@s3cret", "&s3cret x: y")) {
            Path password = file("password", "users:\n- name: x\n  user: {username: u, password: " + unquoted + "}\n");
            assertThatThrownBy(() -> read(ClusterConfig.kubeconfig(password))).as(unquoted)
                    .isInstanceOf(ConfigException.class).hasNoCause().hasMessageNotContaining("s3cret");
        }
        Path nested = file("nested", "a: " + "[".repeat(20_000));
        assertThatThrownBy(() -> read(ClusterConfig.kubeconfig(nested))).isInstanceOf(ConfigException.class).hasMessageContaining("nested");
        Path list = file("list", "- s3cret");
        assertThatThrownBy(() -> read(ClusterConfig.kubeconfig(list)))
                .hasMessage(list + ": expected a kubeconfig, which is a YAML mapping with clusters, users and contexts");
    }

    /** 7.7, 6: over plain HTTP kubectl says nothing of who we are. */
    @Test
    void aKubeconfigsTokenDoesNotGoOverPlainHttpUnlessAskedFor() throws IOException {
        Path file = file("config", kubeconfig("server: 'http://host'", "token: abc"));
        assertThat(authorization(read(ClusterConfig.kubeconfig(file)))).isNull();
        assertThat(authorization(read(ClusterConfig.of("http://host").token("abc")))).isEqualTo("Bearer abc");
    }

    /** 226: TestInClusterConfig, TestInClusterConfigNamespace. */
    @Test
    void whereNothingIsConfiguredThePodsServiceAccountCounts() throws IOException {
        assertThatThrownBy(() -> read(ClusterConfig.detect()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no cluster is configured: there is nothing in [" + directory.resolve("home/.kube/config") + "]");
        assertThatThrownBy(() -> read(ClusterConfig.inCluster())).hasMessageStartingWith("not in a cluster: KUBERNETES_SERVICE_HOST");

        variables.put("KUBERNETES_SERVICE_HOST", "fd00::1");
        variables.put("KUBERNETES_SERVICE_PORT", "443");
        file("serviceaccount/token", "t0ken");
        file("serviceaccount/namespace", "mine");
        file("serviceaccount/ca.crt", Certificates.authority("ca").self().certificatePem());
        Cluster cluster = read(ClusterConfig.detect());
        assertThat(cluster.server()).isEqualTo(URI.create("https://[fd00::1]:443"));
        assertThat(cluster.namespace()).isEqualTo("mine");
        assertThat(authorization(cluster)).isEqualTo("Bearer t0ken");
        assertThat(cluster.trust().block(LIMIT).authorities()).hasSize(1);

        variables.put("POD_NAMESPACE", "other");
        assertThat(read(ClusterConfig.detect()).namespace()).isEqualTo("other");
        file("home/.kube/config", kubeconfig("server: 'https://host'", "token: x"));
        assertThat(read(ClusterConfig.detect()).server().getHost()).as("a kubeconfig comes first").isEqualTo("host");
    }

    @Test
    void aRotatedAuthorityIsPickedUpAndABrokenOneIsNot() throws IOException {
        var first = Certificates.authority("first");
        var second = Certificates.authority("second");
        Path ca = file("ca.crt", first.self().certificatePem());
        Cluster cluster = read(ClusterConfig.of("https://host").ca(ca));
        assertThat(cluster.trust().block(LIMIT).authorities()).containsExactly(first.self().certificate());
        Files.writeString(ca, second.self().certificatePem());
        clock.advanceTimeBy(WatchedFile.AGE);
        assertThat(cluster.trust().block(LIMIT).authorities()).containsExactly(second.self().certificate());
        Files.writeString(ca, "half a certif");
        clock.advanceTimeBy(WatchedFile.AGE);
        assertThat(cluster.trust().block(LIMIT).authorities()).containsExactly(second.self().certificate());
    }

    /** A rotation is two writes; between them certificate and key do not fit. */
    @Test
    void aCertificateIsNotTakenWithoutItsOwnKey() throws IOException {
        var authority = Certificates.authority("ca");
        var first = authority.issue("me");
        var second = authority.issue("me");
        Path certificate = file("me.crt", first.certificatePem());
        Path key = file("me.key", first.pkcs8Pem());
        Cluster cluster = read(ClusterConfig.kubeconfig(
                file("config", kubeconfig("server: 'https://host'", "client-certificate: me.crt, client-key: me.key"))));
        assertThat(cluster.endpoint().block(LIMIT).identity().key()).isEqualTo(first.key());
        Files.writeString(certificate, second.certificatePem());
        clock.advanceTimeBy(WatchedFile.AGE);
        assertThat(cluster.endpoint().block(LIMIT).identity().key()).isEqualTo(first.key());
        Files.writeString(key, second.pkcs8Pem());
        clock.advanceTimeBy(WatchedFile.AGE);
        assertThat(cluster.endpoint().block(LIMIT).identity().key()).isEqualTo(second.key());
        assertThat(cluster.endpoint().block(LIMIT).identity().chain()).containsExactly(second.certificate());
    }

    /** 224: TestFullImpersonateConfig; 225: impersonation without a user. */
    @Test
    void oneMayActAsSomeoneElse() throws IOException {
        Path file = file("config", kubeconfig(
                "server: 'https://host'", "token: abc, as: jane, as-uid: u1, as-groups: [a, b], as-user-extra: {scopes: [view, edit]}"));
        assertThat(read(ClusterConfig.kubeconfig(file)).impersonation())
                .isEqualTo(new Impersonation("jane", "u1", List.of("a", "b"), Map.of("scopes", List.of("view", "edit"))));
        assertThat(read(ClusterConfig.kubeconfig(file).impersonate("joe", "c")).impersonation())
                .isEqualTo(new Impersonation("joe", null, List.of("c"), Map.of()));
        Path nobody = file("nobody", kubeconfig("server: 'https://host'", "token: abc, as-groups: [a]"));
        assertThatThrownBy(() -> read(ClusterConfig.kubeconfig(nobody)))
                .isInstanceOf(ConfigException.class)
                .hasMessage(nobody + ": users[name=u].user: expected as, the user to act as, beside as-uid, as-groups and as-user-extra; found only these");
    }

    /** 224: TestProxyURL. One that is configured serves on the way to this machine, too. */
    @Test
    void aProxyIsNamedByItsAddress() throws IOException {
        variables.put("HTTPS_PROXY", "http://elsewhere:1");
        Path file = file("config", kubeconfig("server: 'https://127.0.0.1:6443', proxy-url: 'socks5://proxy'", "token: abc"));
        assertThat(read(ClusterConfig.kubeconfig(file)).proxy()).hasToString("socks5://proxy:1080");
        assertThat(read(ClusterConfig.of("https://host")).proxy()).hasToString("http://elsewhere:1");
        assertThat(read(ClusterConfig.of("https://127.0.0.1")).proxy()).isNull();
        assertThatThrownBy(() -> read(ClusterConfig.of("https://host").proxy(URI.create("ftp://me:s3cret@proxy"))))
                .hasMessage("ClusterConfig.proxy: expected an address with a host, and one of the schemes [http, https, socks5, socks5h]");
    }

    @Test
    void nothingThatCanBePrintedHoldsASecret() throws IOException {
        Path file = file("config", kubeconfig(
                "server: 'https://host', proxy-url: 'http://me:s3cret@proxy'", "username: me, password: s3cret"));
        Cluster cluster = read(ClusterConfig.kubeconfig(file));
        Credential credential = cluster.credentials().current().block(LIMIT);
        assertThat(cluster + " " + credential + Credential.bearer("s3cret") + new Setting("s3cret", "there"))
                .doesNotContain("s3cret")
                .doesNotContain(base64("me:s3cret"));
    }
}
