package io.reactiveinformer.config;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reactiveinformer.config.Certificates.Issued;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Certificates that end while they are used, wherever they come from. */
class ExpiryWarningsTest extends ConfigFiles {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant END = Instant.parse("2026-02-01T00:00:00Z");
    private static final Certificates CA = Certificates.authority("ca");

    private final Logger log = (Logger) LoggerFactory.getLogger(ClusterConfig.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        lines.start();
        log.addAppender(lines);
    }

    @AfterEach
    void listenNoMore() {
        log.detachAppender(lines);
    }

    private static Issued valid(Instant from, Instant until) {
        return CA.issueWith("EC", "me", from, until);
    }

    private Cluster withFiles(Issued me) throws IOException {
        write(me);
        return read(ClusterConfig.kubeconfig(
                file("config", kubeconfig("server: 'https://h'", "client-certificate: me.crt, client-key: me.key"))));
    }

    private void write(Issued me) throws IOException {
        file("me.crt", me.certificatePem());
        file("me.key", me.pkcs8Pem());
    }

    /** The WARNs of one connection at that time. */
    private List<String> warnings(Cluster cluster, Instant now) {
        clock.advanceTimeTo(now);
        lines.list.clear();
        cluster.endpoint().block(LIMIT);
        cluster.endpoint().block(LIMIT);
        assertThat(lines.list).allMatch(line -> line.getLevel() == Level.WARN);
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void aClientCertificateIsWarnedOfADayBeforeItsEndAndAtItsEnd() throws IOException {
        Cluster cluster = withFiles(valid(START, END));
        String named = "the client certificate CN=me of " + directory + "/config: users[name=u].user.client-certificate "
                + directory + "/me.crt ";
        assertThat(warnings(cluster, START)).isEmpty();
        assertThat(warnings(cluster, END.minus(Duration.ofDays(1)).minusSeconds(1))).isEmpty();
        assertThat(warnings(cluster, END.minus(Duration.ofDays(1))))
                .containsExactly(named + "expires on 2026-02-01T00:00:00Z, in 1440 min; renew it");
        assertThat(warnings(cluster, END.minus(Duration.ofHours(1)))).isEmpty();
        assertThat(warnings(cluster, END.plusSeconds(1))).containsExactly(named + "expired on 2026-02-01T00:00:00Z; renew it");
        assertThat(warnings(cluster, END.plus(Duration.ofDays(100)))).isEmpty();
    }

    @Test
    void aFileThatWasReplacedIsJudgedAnew() throws IOException {
        Cluster cluster = withFiles(valid(START, END));
        assertThat(warnings(cluster, END.minusSeconds(60))).hasSize(1);
        write(valid(START, END.plus(Duration.ofDays(31))));
        assertThat(warnings(cluster, END.plus(Duration.ofDays(1)))).isEmpty();
        write(valid(START, END));
        assertThat(warnings(cluster, END.plus(Duration.ofDays(2)))).singleElement().asString().contains("expired on 2026-02-01T00:00:00Z");
    }

    /** Those of agents that renew them each hour would be warned of all the time. */
    @Test
    void aShortLifeIsWarnedOfInItsLastQuarter() throws IOException {
        Cluster cluster = withFiles(valid(END.minus(Duration.ofHours(1)), END));
        assertThat(warnings(cluster, END.minus(Duration.ofMinutes(16)))).isEmpty();
        assertThat(warnings(cluster, END.minus(Duration.ofMinutes(15)))).singleElement().asString().contains("in 15 min");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the plugin is a shell script")
    void theCertificateOfAPluginIsWarnedOf() throws IOException {
        Issued me = valid(START, END);
        file("reply", JsonMapper.shared().writeValueAsString(
                Map.of("apiVersion", "client.authentication.k8s.io/v1", "kind", "ExecCredential",
                "status", Map.of("clientCertificateData", me.certificatePem(), "clientKeyData", me.pkcs8Pem()))));
        Path plugin = file("plugin", "#!/bin/sh\ncat " + directory + "/reply\n");
        Files.setPosixFilePermissions(plugin, PosixFilePermissions.fromString("rwx------"));
        Cluster cluster = read(ClusterConfig.kubeconfig(file("config", kubeconfig("server: 'https://h'",
                "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: Never}"))));
        assertThat(warnings(cluster, START)).isEmpty();
        assertThat(warnings(cluster, END.minusSeconds(60))).singleElement().asString()
                .startsWith("the client certificate CN=me of " + directory
                        + "/config: users[name=u].user.exec expires on 2026-02-01T00:00:00Z");
        assertThat(warnings(cluster, END.plusSeconds(60))).singleElement().asString().contains(" expired on ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"certificate-authority: me.crt", "certificate-authority-data: %s"})
    void anAuthorityIsWarnedOf(String setting) throws IOException {
        Issued authority = valid(START, END);
        write(authority);
        Cluster cluster = read(ClusterConfig.kubeconfig(
                file("config", kubeconfig("server: 'https://h', " + setting.formatted(base64(authority.certificatePem())), "token: x"))));
        assertThat(warnings(cluster, START)).isEmpty();
        assertThat(warnings(cluster, END.minusSeconds(60))).singleElement().asString()
                .startsWith("the certificate authority CN=me of " + directory + "/config: clusters[name=c].cluster.certificate-authority");
        assertThat(warnings(cluster, END.plusSeconds(60))).singleElement().asString()
                .contains(" expired on 2026-02-01T00:00:00Z; renew it");
    }
}
