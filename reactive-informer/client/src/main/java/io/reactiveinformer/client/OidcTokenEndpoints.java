package io.reactiveinformer.client;

import io.reactiveinformer.config.Cluster.Endpoint;
import io.reactiveinformer.config.Cluster.OidcIssuers;
import io.reactiveinformer.config.Cluster.OidcUser;
import io.reactiveinformer.config.ConfigException;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import io.reactiveinformer.transport.Transport;
import io.reactiveinformer.transport.TransportOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * Requests new ID tokens from issuers. Its connections are closed after each refresh, as there is about one an hour.
 *
 * @see <a href="https://openid.net/specs/openid-connect-core-1_0.html#RefreshTokens">OpenID Connect Core: using refresh tokens</a>
 */
record OidcTokenEndpoints(ObjectCodec codec, TransportOptions options) implements OidcIssuers {

    /** Error codes of RFC 6749, which are words; anything else might be secret, and is not quoted. */
    private static final Pattern ERROR = Pattern.compile("[a-z_]{1,40}");
    /** Most bytes of a reply. Tokens have a few kilobytes. */
    private static final int LARGEST_REPLY = 1 << 20;
    private static final int LAST_PORT = 65_535;
    private static final String DISCOVERY = "/.well-known/openid-configuration";

    OidcTokenEndpoints(TransportOptions options) {
        this(ObjectCodec.create(LARGEST_REPLY), options.withThreads(1));
    }

    @Override
    public Mono<Issued> refresh(OidcUser user) {
        return ask(user, URI.create(user.issuer() + DISCOVERY), Accept.JSON, null)
                .flatMap(metadata -> ask(user, tokenEndpoint(user, metadata), headers(user, metadata), form(user, metadata)))
                .map(reply -> issued(user, reply));
    }

    private static URI tokenEndpoint(OidcUser user, JsonNode metadata) {
        String text = metadata.path("token_endpoint").asString("");
        if (!text.startsWith("https://")) {
            throw new UnexpectedAnswerException(user.issuer() + DISCOVERY
                    + " names no token_endpoint that begins with https://; is it the right issuer?");
        }
        URI address = address(text);
        if (address == null || address.getHost() == null || address.getPort() == 0 || address.getPort() > LAST_PORT) {
            throw new UnexpectedAnswerException(user.issuer() + DISCOVERY
                    + " names a token_endpoint that is no address with a host; a host is made of letters, digits and hyphens, without an "
                    + "underscore");
        }
        return address;
    }

    private static @Nullable URI address(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException malformed) {
            return null;
        }
    }

    private static Headers headers(OidcUser user, JsonNode metadata) {
        Headers headers = Accept.JSON.with("Content-Type", "application/x-www-form-urlencoded");
        if (user.clientSecret() == null || secretGoesInTheForm(metadata)) {
            return headers;
        }
        String both = encode(user.clientId()) + ":" + encode(user.clientSecret());
        return headers.with("Authorization", "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8)));
    }

    private static byte[] form(OidcUser user, JsonNode metadata) {
        String form = "grant_type=refresh_token&refresh_token=" + encode(user.refreshToken());
        if (user.clientSecret() == null) {
            form += "&client_id=" + encode(user.clientId());
        } else if (secretGoesInTheForm(metadata)) {
            form += "&client_id=" + encode(user.clientId()) + "&client_secret=" + encode(user.clientSecret());
        }
        return form.getBytes(StandardCharsets.UTF_8);
    }

    /** The secret goes in a header, unless the issuer says that it does not support that. */
    private static boolean secretGoesInTheForm(JsonNode metadata) {
        JsonNode methods = metadata.path("token_endpoint_auth_methods_supported");
        return !methods.isEmpty()
                && StreamSupport.stream(methods.spliterator(), false)
                        .noneMatch(method -> method.asString("").equals("client_secret_basic"));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** @param form null for a GET */
    private Mono<JsonNode> ask(OidcUser user, URI address, Headers headers, byte @Nullable [] form) {
        int port = address.getPort() < 0 ? 443 : address.getPort();
        var endpoint = new Endpoint(URI.create("https://" + address.getHost() + ":" + port), user.trust(), null, user.proxy(), true);
        String uri = address.getRawPath() + (address.getRawQuery() == null ? "" : "?" + address.getRawQuery());
        var request = new HttpRequest(form == null ? "GET" : "POST", uri, headers, form);
        return Flux.usingWhen(
                        Mono.fromSupplier(() -> Transport.overSockets(Mono.just(endpoint), options)),
                        transport -> transport.exchange(request, answer -> read(user, address, answer)),
                        Transport::dispose)
                .single();
    }

    private Mono<JsonNode> read(OidcUser user, URI address, Transport.Answer answer) {
        Mono<JsonNode> body = codec.tree(answer.body());
        if (answer.status() == 200) { // the part that cannot be read may be a token
            return body.onErrorMap(UnexpectedAnswerException.class, quoting -> new UnexpectedAnswerException(
                    address + " answered 200, but not with JSON of a size that can be read; is it the right issuer?"));
        }
        return body.onErrorResume(KubernetesException.class, noJson -> Mono.empty())
                .map(reply -> reply.path("error").asString(""))
                .filter(error -> ERROR.matcher(error).matches())
                .defaultIfEmpty("")
                .flatMap(error -> Mono.error(refusal(user, address, answer.status(), error)));
    }

    private static KubernetesException refusal(OidcUser user, URI address, int status, String error) {
        String said = address + " answered " + status + (error.isEmpty() ? "" : " " + error);
        return status / 100 == 4 && status != 429
                ? new ConfigException(user.origin() + ": no new ID token for the refresh-token: "
                        + said + "; log in again, or correct the configuration there")
                : new TransportException("no new ID token: " + said, null);
    }

    private static Issued issued(OidcUser user, JsonNode reply) {
        String idToken = reply.path("id_token").asString("");
        if (idToken.isEmpty()) {
            throw new ConfigException(user.origin() + ": " + user.issuer()
                    + " issued no ID token for the refresh-token; was openid among the scopes?");
        }
        String refreshToken = reply.path("refresh_token").asString("");
        return new Issued(idToken, refreshToken.isEmpty() ? null : refreshToken);
    }
}
