package io.reactiveinformer.config;

import io.reactiveinformer.config.Cluster.OidcIssuers;
import io.reactiveinformer.config.Cluster.OidcUser;
import io.reactiveinformer.config.Cluster.Trust;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OidcProviderTest {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    @TempDir
    Path directory;

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final List<OidcUser> asked = new ArrayList<>();
    private final List<OidcIssuers.Issued> issued = new ArrayList<>();

    private Credential.Source credentials(String authProvider) throws IOException {
        Path file = Files.writeString(directory.resolve("config"), """
                current-context: here
                clusters: [{name: c, cluster: {server: 'https://host:6443'}}]
                users: [{name: u, user: {auth-provider: {%s}}}]
                contexts: [{name: here, context: {cluster: c, user: u}}]
                """.formatted(authProvider));
        OidcIssuers issuers = user -> Mono.fromSupplier(() -> {
            asked.add(user);
            return issued.remove(0);
        });
        return ClusterConfig.kubeconfig(file)
                .cluster(new Environment(Map.of("HTTPS_PROXY", "http://proxy:3128"), directory, directory), issuers, clock)
                .block(LIMIT).credentials();
    }

    private static String authorization(Credential.Source credentials) {
        return credentials.current().block(LIMIT).authorization();
    }

    /** Valid for so long from now. */
    private String token(String name, Duration life) {
        long until = clock.now(TimeUnit.SECONDS) + life.toSeconds();
        String claims = "{\"sub\":\"" + name + "\",\"exp\":" + until + "}";
        return name + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(StandardCharsets.UTF_8)) + ".signature";
    }

    @Test
    void anIdTokenServesUntilItExpiresAndThenThatOfTheIssuer() throws IOException {
        String first = token("first", Duration.ofHours(1));
        Credential.Source credentials =
                credentials("name: oidc, config: {idp-issuer-url: 'https://issuer/', client-id: kube, client-secret: s3cret,"
                + " id-token: " + first + ", refresh-token: r1}");
        assertThat(authorization(credentials)).isEqualTo("Bearer " + first);
        clock.advanceTimeBy(Duration.ofSeconds(3589));
        assertThat(authorization(credentials)).isEqualTo("Bearer " + first);
        assertThat(asked).isEmpty();

        clock.advanceTimeBy(Duration.ofSeconds(1));
        String second = token("second", Duration.ofHours(1));
        issued.add(new OidcIssuers.Issued(second, "r2"));
        assertThat(authorization(credentials)).as("nobody waits while it is valid").isEqualTo("Bearer " + first);
        clock.advanceTimeBy(Duration.ofSeconds(10));
        assertThat(authorization(credentials)).isEqualTo("Bearer " + second);
        assertThat(authorization(credentials)).isEqualTo("Bearer " + second);
        assertThat(asked).singleElement().satisfies(user -> {
            assertThat(user.issuer()).hasToString("https://issuer");
            assertThat(user.clientId()).isEqualTo("kube");
            assertThat(user.clientSecret()).isEqualTo("s3cret");
            assertThat(user.refreshToken()).isEqualTo("r1");
            assertThat(user.trust()).isEqualTo(Trust.system());
            assertThat(user.proxy()).hasToString("http://proxy:3128");
            assertThat(user).hasToString("OidcUser[kube at https://issuer]");
        });

        credentials.refused(Credential.bearer(second));
        issued.add(new OidcIssuers.Issued(token("third", Duration.ofHours(1)), null));
        assertThat(authorization(credentials)).startsWith("Bearer third.");
        assertThat(asked.get(1).refreshToken()).as("the issuer's newer one").isEqualTo("r2");
    }

    @Test
    void withoutAnIdTokenTheIssuerIsAskedAtOnce() throws IOException {
        var authority = Certificates.authority("idp-ca");
        String data = Base64.getEncoder().encodeToString(authority.self().certificatePem().getBytes(StandardCharsets.UTF_8));
        issued.add(new OidcIssuers.Issued(token("first", Duration.ofHours(1)), null));
        assertThat(authorization(credentials("name: oidc, config: {idp-issuer-url: 'https://issuer', client-id: kube, refresh-token: r1,"
                + " idp-certificate-authority-data: " + data + "}"))).startsWith("Bearer first.");
        assertThat(asked.get(0).trust().authorities()).containsExactly(authority.self().certificate());
        assertThat(asked.get(0).clientSecret()).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "name: gcp | .name: the auth-provider gcp was removed in Kubernetes 1.26; install gke-gcloud-auth-plugin and configure it as a "
                + "credential plugin (exec) in its place",
        "name: azure | .name: the auth-provider azure was removed in Kubernetes 1.26; install kubelogin and configure it as a credential "
                + "plugin (exec) in its place",
        "name: openstack | .name: expected oidc, the only auth-provider there is; for anything else configure a credential plugin (exec) "
                + "in its place",
        "config: {} | .name: expected text, found nothing",
        "name: oidc | .config.idp-issuer-url: expected text, found nothing",
        "name: oidc, config: {idp-issuer-url: 'https://i'} | .config.client-id: expected text, found nothing",
        "name: oidc, config: {idp-issuer-url: 'https://i', client-id: c} | .config: expected an id-token or a refresh-token, found "
                + "neither; log in again",
        "name: oidc, config: {idp-issuer-url: 'https://i', client-id: c, id-token: s3cret} | .config.id-token: expected an ID token, "
                + "which is a JSON web token with an exp; found something else",
        "name: oidc, config: {idp-issuer-url: 'https://i', client-id: c, id-token: s3.cr.et} | .config.id-token: expected an ID token, "
                + "which is a JSON web token; found something else",
        "name: oidc, config: {idp-issuer-url: 'http://i', client-id: c, refresh-token: s3cret} | .config.idp-issuer-url: expected an "
                + "address that begins with https://, since secrets are sent there",
        "name: oidc, config: {idp-issuer-url: 'https://i:99999', client-id: c, refresh-token: s3cret} | .config.idp-issuer-url: expected "
                + "a port from 1 to 65535, found 99999",
        "name: oidc, config: {idp-issuer-url: 'https://i', client-id: c, client-secret: 1.10, refresh-token: s3cret} | "
                + ".config.client-secret: expected text, found a number; quotes make it text",
        "name: oidc, config: {idp-issuer-url: 'https://i', client-id: c, refresh-token: s3cret, idp-certificate-authority: /nowhere} | "
                + ".config.idp-certificate-authority: there is no file /nowhere",
    })
    void whatCannotBeUsedIsNamedByFileAndKey(String provider, String message) {
        assertThatThrownBy(() -> authorization(credentials(provider)))
                .isInstanceOf(ConfigException.class)
                .hasMessage(directory.resolve("config") + ": users[name=u].user.auth-provider" + message)
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void anExpiredIdTokenWithoutARefreshTokenSaysToLogInAgain() throws IOException {
        Credential.Source credentials =
                credentials("name: oidc, config: {idp-issuer-url: 'https://i', client-id: c, id-token: "
                        + token("old", Duration.ZERO) + "}");
        assertThatThrownBy(() -> authorization(credentials)).hasMessage(directory.resolve("config")
                + ": users[name=u].user.auth-provider.config.refresh-token: expected one, since the id-token has expired; found nothing; "
                + "log in again");
    }
}
