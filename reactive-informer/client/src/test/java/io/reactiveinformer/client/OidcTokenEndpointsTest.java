package io.reactiveinformer.client;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.reactiveinformer.config.Certificates;
import io.reactiveinformer.config.Cluster.OidcIssuers.Issued;
import io.reactiveinformer.config.Cluster.OidcUser;
import io.reactiveinformer.config.Cluster.Trust;
import io.reactiveinformer.config.ConfigException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import io.reactiveinformer.transport.TransportOptions;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

class OidcTokenEndpointsTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Certificates authority = Certificates.authority("idp-ca");
    private final List<String> asked = new ArrayList<>();
    private @Nullable DisposableServer issuer;
    private String methods = "";
    private int status = 200;
    private String reply = "{\"access_token\":\"x\",\"id_token\":\"new\",\"refresh_token\":\"r2\"}";

    @BeforeEach
    void serve() throws SSLException {
        Certificates.Issued identity = authority.issue("issuer", "127.0.0.1");
        SslContext tls = SslContextBuilder.forServer(identity.key(), identity.certificate()).build();
        issuer = HttpServer.create().host("127.0.0.1").secure(spec -> spec.sslContext(tls)).route(routes -> routes
                        .get("/realm/.well-known/openid-configuration", (request, response) -> response.sendString(Mono.fromSupplier(() ->
                                "{\"token_endpoint\":\"https://127.0.0.1:" + issuer.port() + "/realm/token?x=y\"" + methods + "}")))
                        .post("/realm/token", (request, response) -> response.status(status)
                                .sendString(request.receive().aggregate().asString().map(form -> {
                                    String authorization = request.requestHeaders().get("Authorization");
                                    asked.add(request.uri() + " " + authorization + " " + form);
                                    return reply;
                                }))))
                .bindNow(LIMIT);
    }

    @AfterEach
    void close() {
        issuer.disposeNow(LIMIT);
    }

    private Mono<Issued> refresh(@Nullable String secret) {
        var user = new OidcUser(
                URI.create("https://127.0.0.1:" + issuer.port() + "/realm"), "ku be", secret, "r&1",
                Trust.authorities(List.of(authority.self().certificate()), "idp-certificate-authority"), null, "config");
        return new OidcTokenEndpoints(TransportOptions.defaults()).refresh(user);
    }

    @Test
    void asksWhereTheIssuerSaysAndProvesWhoItIsByAHeader() {
        StepVerifier.create(refresh("s3&cret")).expectNext(new Issued("new", "r2")).expectComplete().verify(LIMIT);
        String proof = Base64.getEncoder().encodeToString("ku+be:s3%26cret".getBytes(StandardCharsets.UTF_8));
        assertThat(asked).containsExactly("/realm/token?x=y Basic " + proof + " grant_type=refresh_token&refresh_token=r%261");
    }

    @Test
    void provesWhoItIsInTheFormWhereTheIssuerKnowsNothingElse() {
        methods = ",\"token_endpoint_auth_methods_supported\":[\"client_secret_post\",\"private_key_jwt\"]";
        StepVerifier.create(refresh("s3cret")).expectNextCount(1).expectComplete().verify(LIMIT);
        assertThat(asked)
                .containsExactly("/realm/token?x=y null grant_type=refresh_token&refresh_token=r%261&client_id=ku+be&client_secret=s3cret");
    }

    @Test
    void onlySaysWhoItIsWithoutASecret() {
        reply = "{\"id_token\":\"new\"}";
        StepVerifier.create(refresh(null)).expectNext(new Issued("new", null)).expectComplete().verify(LIMIT);
        assertThat(asked).containsExactly("/realm/token?x=y null grant_type=refresh_token&refresh_token=r%261&client_id=ku+be");
    }

    @Test
    void aSpentRefreshTokenSaysToLogInAgain() {
        status = 400;
        reply = "{\"error\":\"invalid_grant\"}";
        StepVerifier.create(refresh("s3cret"))
                .expectErrorSatisfies(failure -> assertThat(failure)
                        .isInstanceOf(ConfigException.class)
                        .hasMessage("config: no new ID token for the refresh-token: https://127.0.0.1:" + issuer.port()
                                + "/realm/token?x=y answered 400 invalid_grant; log in again, or correct the configuration there"))
                .verify(LIMIT);
    }

    @Test
    void anIssuerThatIsDownMayBeUpAgainLater() {
        status = 503;
        reply = "<html>";
        StepVerifier.create(refresh("s3cret"))
                .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(TransportException.class)
                        .hasMessageEndingWith("answered 503"))
                .verify(LIMIT);
    }

    @Test
    void aRefusalNeedsNoBody() {
        status = 401;
        reply = "";
        StepVerifier.create(refresh("s3cret"))
                .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(ConfigException.class)
                        .hasMessageContaining("/realm/token?x=y answered 401;"))
                .verify(LIMIT);
    }

    @Test
    void aReplyWithoutAnIdTokenIsNamed() {
        reply = "{\"access_token\":\"s3cret\"}";
        StepVerifier.create(refresh("s3cret"))
                .expectErrorSatisfies(failure -> assertThat(failure)
                        .isInstanceOf(ConfigException.class).hasMessageContaining("issued no ID token").hasMessageNotContaining("s3cret"))
                .verify(LIMIT);
    }

    @Test
    void whatIsNoJsonIsNotQuoted() {
        reply = "id_token=s3cret&expires_in=3600";
        StepVerifier.create(refresh("s3cret"))
                .expectErrorSatisfies(failure -> assertThat(failure)
                        .isInstanceOf(UnexpectedAnswerException.class).hasMessageContaining("answered 200, but not with JSON")
                        .hasMessageNotContaining("s3cret").hasNoCause())
                .verify(LIMIT);
        status = 400;
        reply = "{\"error\":\"eyJhbGciOi.s3cret\"}";
        StepVerifier.create(refresh("s3cret"))
                .expectErrorSatisfies(failure -> assertThat(failure)
                        .isInstanceOf(ConfigException.class).hasMessageContaining("answered 400;").hasMessageNotContaining("s3cret"))
                .verify(LIMIT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://my_idp/token", "https://127.0.0.1:99999/token", "https://", "https://a b"})
    void aTokenEndpointThatIsNoAddressIsNamed(String address) {
        methods = ",\"token_endpoint\":\"" + address + "\"";
        StepVerifier.create(refresh("s3cret"))
                .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(UnexpectedAnswerException.class)
                        .hasMessageContaining("names a token_endpoint that is no address with a host").hasMessageNotContaining("null"))
                .verify(LIMIT);
    }

    @Test
    void secretsDoNotGoWhereNothingIsEncrypted() {
        methods = ",\"token_endpoint\":\"http://127.0.0.1:1/\"";
        StepVerifier.create(refresh("s3cret")).expectError(UnexpectedAnswerException.class).verify(LIMIT);
        assertThat(asked).isEmpty();
    }
}
