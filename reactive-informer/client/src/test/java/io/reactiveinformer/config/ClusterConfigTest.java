package io.reactiveinformer.config;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reactiveinformer.config.Cluster.OidcIssuers;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Numbers are those of client-go's scenarios (semantics inventory, 8.14). */
class ClusterConfigTest extends ConfigFiles {

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

    @ParameterizedTest
    @ValueSource(ints = {0, 65_536, 99_999})
    void refusesAPortThatCannotBe(int port) {
        assertThatThrownBy(() -> read(ClusterConfig.of("http://127.0.0.1:" + port))).isInstanceOf(ConfigException.class)
                .hasMessage("ClusterConfig.of: expected a port from 1 to 65535, found " + port);
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

    @Test
    void aServerThatAnswersUnprovenIsWarnedOf() {
        Logger log = (Logger) LoggerFactory.getLogger(ClusterConfig.class);
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        log.addAppender(lines);
        try {
            read(ClusterConfig.of("https://host").insecure().token("s3cret"));
            read(ClusterConfig.of("https://other"));
        } finally {
            log.detachAppender(lines);
        }
        assertThat(lines.list).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.WARN);
            assertThat(line.getFormattedMessage())
                    .startsWith("the certificate of host:443 is not checked, as ClusterConfig.insecure says: ").doesNotContain("s3cret");
        });
    }

    /** As for kubectl: in a container the user that the JVM knows may have another home, or none. */
    @Test
    void homeIsWhereTheShellSays() {
        assertThat(Environment.home("/github/home")).isEqualTo("/github/home");
        assertThat(Environment.home("")).isEqualTo(System.getProperty("user.home"));
        assertThat(Environment.home(null)).isEqualTo(System.getProperty("user.home"));
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
        var plugin = new ExecPlugin("v1", List.of("x", "--secret=s3cret"), Map.of("PASSWORD", "s3cret"), null, null, "there");
        assertThat(cluster + " " + credential + Credential.bearer("s3cret") + new ConfigValue("s3cret", "there")
                        + new YamlSection(Map.of("token", "s3cret"), "there") + plugin + new OidcIssuers.Issued("s3cret", "s3cret"))
                .doesNotContain("s3cret")
                .doesNotContain(base64("me:s3cret"));
    }
}
