package io.reactiveinformer.config;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reactiveinformer.config.Cluster.Endpoint;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Numbers are those of client-go's scenarios (semantics inventory, 8.14). */
class KubeconfigTest extends ConfigFiles {

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
                .hasMessage("the requested context: there is no context \"c\"; there are: [a, b]");
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
                .hasMessage(file + ": " + list + ": the name x occurs twice; expected each name once");
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
        assertThat(endpoint.identity()).isEqualTo(new Credential.Identity(List.of(me.certificate()), me.key()));
    }

    /** 224: TestCertificateData. */
    @Test
    void dataBeatsFiles() throws IOException {
        var authority = Certificates.authority("ca");
        var me = authority.issue("me");
        Path file = file("config", kubeconfig(
                "server: 'https://host', certificate-authority: /nowhere, certificate-authority-data: "
                        + base64(authority.self().certificatePem()),
                "client-certificate: /nowhere, client-certificate-data: " + base64(me.certificatePem())
                        + ", client-key: /nowhere, client-key-data: " + base64(me.pkcs8Pem())));
        Endpoint endpoint = read(ClusterConfig.kubeconfig(file)).endpoint().block(LIMIT);
        assertThat(endpoint.trust().authorities()).containsExactly(authority.self().certificate());
        assertThat(endpoint.identity().key()).isEqualTo(me.key());
    }

    /** 225: validation_test. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "server: 'https://h' | token: s3cret, username: me | expected one kind of credential, found several: [%f: "
                + "users[name=u].user.token, %f: users[name=u].user.username]",
        "server: 'https://h' | client-certificate: /a | %f: users[name=u].user.client-certificate: expected both a client certificate and "
                + "its key, found only this one",
        "server: 'https://h' | client-key-data: s3cret | %f: users[name=u].user.client-key-data: expected both a client certificate and "
                + "its key, found only this one",
        "server: 'https://h', insecure-skip-tls-verify: true, certificate-authority: /a | token: x | %f: "
                + "clusters[name=c].cluster.certificate-authority: expected no certificate authority, since insecure-skip-tls-verify "
                + "ignores it",
        "certificate-authority: /a | token: x | %f: clusters[name=c].cluster.server: expected text, found nothing",
        "server: 'https://h', certificate-authority-data: '***' | token: x | %f: clusters[name=c].cluster.certificate-authority-data: "
                + "expected a PEM certificate (-----BEGIN CERTIFICATE-----), found none",
        "server: ['https://h'] | token: x | %f: clusters[name=c].cluster.server: expected text, found a list",
        "server: 'https://h', insecure-skip-tls-verify: maybe | token: x | %f: clusters[name=c].cluster.insecure-skip-tls-verify: "
                + "expected true or false, found a single value",
        "server: 'https://h', tls-server-name: 10 | token: x | %f: clusters[name=c].cluster.tls-server-name: expected text, found a "
                + "number; quotes make it text",
        "server: 'https://h' | username: u, password: 1.10 | %f: users[name=u].user.password: expected text, found a number; quotes make "
                + "it text",
        "server: 'https://h' | username: u, password: true | %f: users[name=u].user.password: expected text, found true or false; quotes "
                + "make it text",
        "server: 'https://h' | token: x, as: jane, as-groups: [12] | %f: users[name=u].user.as-groups: expected a list of texts, found a "
                + "number; quotes make it text",
        "server: 'https://h' | client-certificate: \"a\\0\", client-key: /a | %f: users[name=u].user.client-certificate: expected text, "
                + "found a NUL character within it",
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

    @Test
    void quotesKeepATextThatLooksLikeANumber() throws IOException {
        Path file = file("config", kubeconfig("server: 'https://host'", "username: '007', password: \"1.10\""));
        assertThat(authorization(read(ClusterConfig.kubeconfig(file)))).isEqualTo("Basic " + base64("007:1.10"));
    }

    @Test
    void mayBeLargeButNotEndless() throws IOException {
        String comment = "# " + "x".repeat(1022) + "\n";
        // more than the parser takes by itself
        Path large = file("large", comment.repeat(3200) + kubeconfig("server: 'https://host'", "token: abc"));
        Cluster cluster = ClusterConfig.kubeconfig(large)
                .cluster(new Environment(variables, directory, directory), Cluster.OidcIssuers.none(), clock)
                .block(Duration.ofMinutes(1));
        assertThat(authorization(cluster)).isEqualTo("Bearer abc");

        Path endless = file("endless", comment.repeat(16 << 10) + kubeconfig("server: 'https://host'", "token: abc"));
        assertThatThrownBy(() -> read(ClusterConfig.kubeconfig(endless)))
                .isInstanceOf(ConfigException.class).hasMessage(endless + ": too large for a kubeconfig; expected 16 MiB at most");
    }

    /** What kubectl 1.32 sends for each of these. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', value = {
        "x: &b {token: base} | {<<: *b} | Bearer base |",
        "x: &b {token: base} | {<<: *b, token: own} | Bearer own |",
        "x: &b {token: base} | {token: own, <<: *b} | Bearer own |",
        "x: [&b {token: first}, &c {token: second, as: joe}] | {<<: [*b, *c]} | Bearer first | joe",
        "x: [&b {token: first}, &c {<<: *b, as: joe}] | {<<: *c} | Bearer first | joe",
        "x: &b {token: base} | {\"<<\": *b} | null |",
        "x: &b base | {token: *b} | Bearer base |",
        "x: 1 | {token: one, token: two} | Bearer two |",
        "x: 1 | {token: ~} | null |",
        "x: 1 | {token: !!str 1234} | Bearer 1234 |",
    })
    void readsYamlAsKubectlDoes(String before, String user, String authorization, @Nullable String as) throws IOException {
        Cluster cluster = read(ClusterConfig.kubeconfig(file("config", before + "\n" + withUser(user))));
        assertThat(String.valueOf(authorization(cluster))).isEqualTo(authorization);
        assertThat(cluster.impersonation() == null ? null : cluster.impersonation().user()).isEqualTo(as);
    }

    private static String withUser(String user) {
        return """
                clusters: [{name: c, cluster: {server: 'https://host'}}]
                contexts: [{name: here, context: {cluster: c, user: u}}]
                current-context: here
                users: [{name: u, user: %s}]
                """.formatted(user);
    }

    @Test
    void ofSeveralDocumentsTheFirstCounts() throws IOException {
        String first = withUser("{token: one}");
        for (String rest : List.of("---\ncurrent-context: other\n", "---\n", "...\ngarbage: [\n", "---\ngarbage: [\n")) {
            for (String start : List.of("", "---\n", "# here\n---\n")) {
                assertThat(authorization(read(ClusterConfig.kubeconfig(file("config", start + first + rest)))))
                        .as(start + rest).isEqualTo("Bearer one");
            }
        }
        Path empty = file("empty", "---\n---\n" + first);
        assertThatThrownBy(() -> read(ClusterConfig.kubeconfig(empty))).isInstanceOf(ConfigException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "x", "[x]", "1"})
    void aMergeOfNoMappingIsRefused(String merged) throws IOException {
        Path file = file("config", withUser("{<<: " + merged + ", token: s3cret}"));
        assertThatThrownBy(() -> read(ClusterConfig.kubeconfig(file))).isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(file + ": not YAML: line 4; a merge key (<<) takes a mapping").hasMessageNotContaining("s3cret");
    }

    @Test
    void tabsDoNotIndent() throws IOException {
        Path file = file("config", "users:\n- name: u\n  user:\n\ttoken: s3cret\n");
        assertThatThrownBy(() -> read(ClusterConfig.kubeconfig(file))).isInstanceOf(ConfigException.class)
                .hasMessage(file + ": not YAML: line 4; indent with spaces, not with tabs");
    }

    @ParameterizedTest
    @ValueSource(strings = {"kind: Secret", "apiVersion: v2", "kind: Secret\napiVersion: v1"})
    void aFileOfAnotherKindIsRefused(String kind) throws IOException {
        Path file = file("config", kind + "\n" + withUser("{token: x}"));
        assertThatThrownBy(() -> read(ClusterConfig.kubeconfig(file))).isInstanceOf(ConfigException.class)
                .hasMessageEndingWith(": expected a kubeconfig, which is of kind Config and of apiVersion v1; found something else");
    }

    /** As where an organisation's file shares parts among its clusters. */
    @Test
    void manyEntriesMayShareAPart() throws IOException {
        var users = new StringBuilder("x: &b {as: joe}\n" + withUser("{<<: *b, token: abc}")
                .replace("]\n", "\n").replaceFirst("\\}\\}\\s*$", "}}"));
        for (int i = 0; i < 500; i++) {
            users.append(", {name: u").append(i).append(", user: {<<: *b}}");
        }
        Path file = file("config", users.append("]").toString().replace("'https://host'}}\n", "'https://host'}}]\n")
                .replace("user: u}}\n", "user: u}}]\n"));
        assertThat(authorization(read(ClusterConfig.kubeconfig(file)))).isEqualTo("Bearer abc");
    }

    @Test
    void whatMakesRequestsAnonymousUnawaresIsLogged() throws IOException {
        var log = (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(ClusterConfig.class);
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        log.addAppender(lines);
        try {
            read(ClusterConfig.kubeconfig(file("a", withUser("{tokenn: s3cret, Token: s3cret}"))));
            read(ClusterConfig.kubeconfig(file("b", withUser("{token: s3cret}").replace("https:", "http:"))));
            read(ClusterConfig.kubeconfig(file("c", withUser("{token: s3cret}") + "---\nkind: Secret\n")));
            read(ClusterConfig.kubeconfig(file("d", "---\n" + withUser("{token: s3cret}") + "---\n")));
            read(ClusterConfig.kubeconfig(file("e", withUser("{}").replace("https:", "http:"))));
        } finally {
            log.detachAppender(lines);
        }
        assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage).containsExactly(
                directory + "/a: users[name=u].user: unknown settings are ignored: [Token, tokenn]",
                "requests to host:80 are anonymous: credentials of a kubeconfig go over https only, as with kubectl",
                directory + "/c contains several YAML documents; only the first is read, as by kubectl");
    }
}
