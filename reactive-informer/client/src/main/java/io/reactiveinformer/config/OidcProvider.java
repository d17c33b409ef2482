package io.reactiveinformer.config;

import io.reactiveinformer.config.Cluster.OidcIssuers;
import io.reactiveinformer.config.Cluster.OidcUser;
import io.reactiveinformer.config.Cluster.Trust;
import java.net.URI;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The {@code oidc} auth-provider: uses the configured ID token while it is valid, then ID tokens that the issuer gives for the refresh
 * token. New tokens are kept in memory only: the kubeconfig is never written to.
 *
 * @see <a href="https://kubernetes.io/docs/reference/access-authn-authz/authentication/#using-kubectl">Kubernetes: OpenID Connect tokens,
 *     using kubectl</a>
 */
final class OidcProvider {

    /** Clocks differ; as client-go. */
    private static final long LEEWAY_MILLIS = 10_000;
    private static final Base64.Decoder BASE64_URL = Base64.getUrlDecoder();

    private final YamlSection config;
    private final ConfigValue issuer;
    private final ConfigValue clientId;
    private final Environment environment;

    private OidcProvider(YamlSection config, Environment environment) {
        this.config = config;
        this.issuer = config.requiredText("idp-issuer-url");
        this.clientId = config.requiredText("client-id");
        this.environment = environment;
    }

    /** @param provider the section {@code auth-provider} */
    static OidcProvider of(YamlSection provider, Environment environment) {
        ConfigValue name = provider.requiredText("name");
        return switch (name.value()) {
            case "oidc" -> new OidcProvider(provider.section("config"), environment);
            case "gcp" -> throw gone(name, "gke-gcloud-auth-plugin");
            case "azure" -> throw gone(name, "kubelogin");
            default -> throw new ConfigException(name + ": expected oidc, the only auth-provider there is; for anything else configure"
                    + " a credential plugin (exec) in its place");
        };
    }

    private static ConfigException gone(ConfigValue name, String plugin) {
        return new ConfigException(name + ": the auth-provider " + name.value() + " was removed in Kubernetes 1.26; install " + plugin
                + " and configure it as a credential plugin (exec) in its place");
    }

    Renewable<Credential> credentials(OidcIssuers issuers, Scheduler clock) {
        ConfigValue configured = config.text("id-token");
        ConfigValue refreshToken = config.text("refresh-token");
        if (configured == null && refreshToken == null) {
            throw new ConfigException(config.origin() + ": expected an id-token or a refresh-token, found neither; log in again");
        }
        Renewable.Lease<Credential> first = configured == null ? null : lease(configured.value(), configured.origin());
        var user = new AtomicReference<@Nullable OidcUser>();
        Mono<Renewable.Lease<Credential>> refresh =
                Mono.fromCallable(() -> user.updateAndGet(known -> known == null ? user(refreshToken) : known))
                .subscribeOn(Schedulers.boundedElastic()) // reads a file
                .flatMap(known -> issuers.refresh(known).map(issued -> {
                    if (issued.refreshToken() != null) {
                        user.set(known.withRefreshToken(issued.refreshToken()));
                    }
                    return lease(issued.idToken(), known.origin() + ": what " + known.issuer() + " issued");
                }));
        return new Renewable<>(refresh, clock, first);
    }

    private OidcUser user(@Nullable ConfigValue refreshToken) {
        if (refreshToken == null) {
            throw new ConfigException(config.origin()
                    + ".refresh-token: expected one, since the id-token has expired; found nothing; log in again");
        }
        ConfigValue secret = config.text("client-secret");
        URI address = address();
        return new OidcUser(
                address, clientId.value(), secret == null ? null : secret.value(), refreshToken.value(),
                trust(), new Proxies(environment).to(address),
                config.origin());
    }

    private URI address() {
        String text = issuer.value().replaceFirst("/+$", "");
        URI address = new ConfigValue(text, issuer.origin()).address(Set.of("https"));
        if (address == null) {
            throw new ConfigException(issuer + ": expected an address that begins with https://, since secrets are sent there");
        }
        return address;
    }

    private Trust trust() {
        ConfigValue data = config.text("idp-certificate-authority-data");
        ConfigValue file = config.text("idp-certificate-authority");
        ConfigValue authority = data != null || file == null ? data : file.asFile();
        return authority == null ? Trust.system()
                : Trust.authorities(Pem.certificates(authority.content(), authority.source()), authority.source());
    }

    private static Renewable.Lease<Credential> lease(String idToken, String origin) {
        long until = expiry(idToken, origin);
        return Renewable.Lease.until(Credential.bearer(idToken), until - LEEWAY_MILLIS, until);
    }

    /** Reads {@code exp} of a JSON web token. Its signature is not checked here; the server does that. */
    private static long expiry(String idToken, String origin) {
        List<String> parts = List.of(idToken.split("\\.", -1));
        if (parts.size() == 3) {
            try {
                long seconds = JsonMapper.shared().readTree(BASE64_URL.decode(parts.get(1))).path("exp").asLong(-1);
                if (seconds >= 0) {
                    return TimeUnit.SECONDS.toMillis(seconds);
                }
            } catch (JacksonException | IllegalArgumentException malformed) { // their messages quote what may be a token
                throw new ConfigException(origin + ": expected an ID token, which is a JSON web token; found something else");
            }
        }
        throw new ConfigException(origin + ": expected an ID token, which is a JSON web token with an exp; found something else");
    }
}
