package io.reactiveinformer.config;

import io.reactiveinformer.config.Cluster.Impersonation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Numbers are those of client-go's scenarios (semantics inventory, 8.14). */
class CredentialsTest extends ConfigFiles {

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
        assertThatThrownBy(() -> new Credential("Bearer " + bad, null)).isInstanceOf(ConfigException.class)
                .hasMessageNotContaining("s3cret");
        assertThatThrownBy(() -> read(ClusterConfig.of("https://host").impersonate("jane\r\nX-Evil: 1")))
                .isInstanceOf(ConfigException.class).hasMessage("the user to act as" + why);
    }

    /** A login writes another token of the same user. Another context, which was chosen meanwhile, is another user and another server. */
    @Test
    void aRefusedTokenIsReplacedByOneOfTheSameUserAndServerOnly() throws IOException {
        String text = """
                current-context: dev
                clusters: [{name: dev, cluster: {server: 'https://dev'}}, {name: prod, cluster: {server: 'https://prod'}}]
                users: [{name: me, user: {token: old}}, {name: admin, user: {token: secret}}]
                contexts: [{name: dev, context: {cluster: dev, user: me}}, {name: prod, context: {cluster: prod, user: admin}}]
                """;
        Path file = file("config", text);
        Cluster cluster = read(ClusterConfig.kubeconfig(file));
        assertThat(afterRefusal(cluster)).isEqualTo("Bearer old");
        file("config", text.replace("current-context: dev", "current-context: prod"));
        assertThat(afterRefusal(cluster)).as("not the token of the other server").isEqualTo("Bearer old");
        file("config", text.replace("user: me", "user: admin"));
        assertThat(afterRefusal(cluster)).as("nor the one of the other user").isEqualTo("Bearer old");
        file("config", text.replace("token: old", "token: new"));
        assertThat(afterRefusal(cluster)).isEqualTo("Bearer new");
    }

    private String afterRefusal(Cluster cluster) {
        clock.advanceTimeBy(Duration.ofMinutes(1));
        cluster.credentials().refused(Objects.requireNonNull(cluster.credentials().current().block()));
        return authorization(cluster);
    }

    /** 237: a 401 drops the cached token. */
    @Test
    void aFileWithoutEndIsNotReadToItsEnd() throws IOException {
        Path file = file("endless", kubeconfig("server: 'https://host'", "tokenFile: /dev/zero"));
        assertThatThrownBy(() -> authorization(read(ClusterConfig.kubeconfig(file)))).isInstanceOf(ConfigException.class)
                .hasMessage(file + ": users[name=u].user.tokenFile: the file /dev/zero is too large; expected 4 MiB at most");
    }

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
        assertThatThrownBy(() -> authorization(read(ClusterConfig.kubeconfig(file))))
                .hasMessage(origin + "expected the path of a file; there is no file of the configured name");
        Files.writeString(token, " \n");
        assertThatThrownBy(() -> authorization(read(ClusterConfig.kubeconfig(file))))
                .hasMessage(origin + "the file " + token + " is empty; expected a token");
    }

    /** 7.7, 6: over plain HTTP kubectl says nothing of who we are. */
    @Test
    void aKubeconfigsTokenDoesNotGoOverPlainHttpUnlessAskedFor() throws IOException {
        Path file = file("config", kubeconfig("server: 'http://host'", "token: abc"));
        assertThat(authorization(read(ClusterConfig.kubeconfig(file)))).isNull();
        assertThat(authorization(read(ClusterConfig.of("http://host").token("abc")))).isEqualTo("Bearer abc");
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
                .hasMessage(nobody
                        + ": users[name=u].user: expected as, the user to act as, beside as-uid, as-groups and as-user-extra; found only "
                        + "these");
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "null", "true"})
    void whatIsKnownOfThatUserHasNames(String key) throws IOException {
        Path file = file("config", kubeconfig("server: 'https://host'", "token: abc, as: jane, as-user-extra: {" + key + ": [view]}"));
        assertThatThrownBy(() -> read(ClusterConfig.kubeconfig(file))).isInstanceOf(ConfigException.class)
                .hasMessage(file + ": users[name=u].user.as-user-extra: expected texts as keys, found something else; quotes make it text");
    }

    /** Where a file's path belongs, someone may put the token itself; nothing shows it then, however long it is. */
    @ParameterizedTest
    @ValueSource(strings = {"s3cret.token", "s3cret/token", "long", "\"s3cret\\0\""})
    void aTokenInPlaceOfItsFileIsNotQuoted(String token) throws IOException {
        String text = token.equals("long") ? "s3cret".repeat(200) : token;
        Path file = file("config", kubeconfig("server: 'https://host'", "tokenFile: " + text));
        assertThatThrownBy(() -> authorization(read(ClusterConfig.kubeconfig(file))))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(file + ": users[name=u].user.tokenFile: expected ")
                .hasMessageNotContaining("s3cret").hasNoCause();
    }

    @Test
    void aKeyInPlaceOfItsFileIsNotQuoted() throws IOException {
        var me = Certificates.authority("ca").issue("me");
        String data = base64(me.pkcs8Pem());
        Path file = file("config", kubeconfig(
                "server: 'https://host'", "client-certificate-data: " + base64(me.certificatePem()) + ", client-key: " + data));
        assertThatThrownBy(() -> read(ClusterConfig.kubeconfig(file)).endpoint().block(LIMIT))
                .isInstanceOf(ConfigException.class)
                .hasMessage(file
                        + ": users[name=u].user.client-key: expected the path of a file; there is no file of the configured name")
                .hasNoCause();
    }
}
