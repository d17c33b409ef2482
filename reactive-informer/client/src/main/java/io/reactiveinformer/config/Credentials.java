package io.reactiveinformer.config;

import io.reactiveinformer.config.Cluster.OidcIssuers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Makes the credential source of a configuration. */
final class Credentials {

    private Credentials() {}

    static Credential.Source of(
            ConfigValues settings, Supplier<ConfigValues> again, Environment environment, OidcIssuers issuers, Scheduler clock) {
        if (settings.credentials != null) {
            return settings.credentials;
        }
        refuseSeveral(settings);
        Disposable.Composite runs = Disposables.composite();
        return new CombinedCredentials(authorization(settings, again, environment, issuers, clock, runs), identity(settings, clock), runs,
                new ExpiryWarnings("client certificate", identityOrigin(settings), clock));
    }

    /** kubectl refuses these too: it is not clear which of them would apply. */
    private static void refuseSeveral(ConfigValues settings) {
        var ways = new ArrayList<ConfigValue>();
        if (settings.token != null) {
            ways.add(settings.token);
        } else if (settings.tokenFile != null) {
            ways.add(settings.tokenFile);
        }
        if (settings.username != null) {
            ways.add(settings.username);
        }
        if (settings.exec != null && settings.authProvider != null) {
            throw new ConfigException(settings.exec.origin() + ": expected either exec or auth-provider, found both");
        }
        if (ways.size() > 1) {
            throw new ConfigException("expected one kind of credential, found several: " + ways);
        }
    }

    private static Renewable<Credential> authorization(ConfigValues settings, Supplier<ConfigValues> again,
            Environment environment, OidcIssuers issuers, Scheduler clock, Disposable.Composite runs) {
        if (settings.tokenFile != null) {
            ConfigValue file = settings.tokenFile;
            return WatchedFile.of(List.of(file), content -> Credential.bearer(token(content.get(0), file),
                    file.origin() + ": the file " + file.value()), clock);
        }
        if (settings.token != null) {
            return rewritten(settings, settings.token, again, clock);
        }
        if (settings.username != null) {
            return Renewable.of(
                    Credential.basic(settings.username.value(), settings.password == null ? "" : settings.password.value()));
        }
        if (settings.exec != null) {
            return settings.exec.credentials(clock, ExecPlugin.TIME_LIMIT, environment.variable(ExecPlugin.STDERR) != null, runs);
        }
        if (settings.authProvider != null) {
            return OidcProvider.of(settings.authProvider, environment).credentials(issuers, clock);
        }
        return Renewable.of(Credential.none());
    }

    /**
     * The token in a kubeconfig, which is read again when the server has refused it: a login writes another one there. Meanwhile another
     * context may have become the current one: its token is of another user, and perhaps of another server, which ours must not get.
     */
    private static Renewable<Credential> rewritten(
            ConfigValues settings, ConfigValue token, Supplier<ConfigValues> again, Scheduler clock) {
        ConfigValue server = settings.server;
        Credential first = bearer(token);
        Mono<Renewable.Lease<Credential>> load = Mono.fromCallable(() -> {
                    ConfigValues now = again.get();
                    ConfigValue other = now.token;
                    boolean ours = other != null && other.origin().equals(token.origin()) && Objects.equals(now.server, server);
                    return other != null && ours ? bearer(other) : first;
                })
                .subscribeOn(Schedulers.boundedElastic())
                .onErrorReturn(first) // a file that cannot be read has no other token
                .map(Renewable.Lease::untilRefused);
        return new Renewable<>(load, clock, Renewable.Lease.untilRefused(first));
    }

    private static Credential bearer(ConfigValue token) {
        return Credential.bearer(token.value(), token.origin());
    }

    private static String token(byte[] content, ConfigValue file) {
        String token = new String(content, StandardCharsets.UTF_8).strip();
        if (token.isEmpty()) {
            throw new ConfigException(file.origin() + ": the file " + file.value() + " is empty; expected a token");
        }
        return token;
    }

    private static String identityOrigin(ConfigValues settings) {
        return settings.certificate != null ? settings.certificate.source()
                : settings.exec != null ? settings.exec.origin() : "the configuration";
    }

    /** Null if neither a certificate nor a key is configured. */
    private static @Nullable Renewable<Credential.Identity> identity(ConfigValues settings, Scheduler clock) {
        ConfigValue certificate = settings.certificate;
        ConfigValue key = settings.key;
        if (certificate != null && key != null) {
            return WatchedFile.of(
                    List.of(certificate, key),
                    contents -> Pem.identity(contents.get(0), certificate.source(), contents.get(1), key.source()),
                    clock);
        }
        if (certificate != null || key != null) {
            throw new ConfigException((certificate == null ? key : certificate)
                    + ": expected both a client certificate and its key, found only this one");
        }
        return null;
    }

    /** Ends plugin runs of {@code source}. A source of the application is not closed. */
    static void close(Credential.Source source) {
        if (source instanceof CombinedCredentials ours) {
            ours.runs.dispose();
        }
    }

    /**
     * A header and a certificate, each renewed by itself. A configured certificate takes precedence over one that comes with the header.
     */
    private record CombinedCredentials(
            Renewable<Credential> header, @Nullable Renewable<Credential.Identity> identity, Disposable runs, ExpiryWarnings expiry)
                    implements Credential.Source {

        @Override
        public Mono<Credential> current() {
            Mono<Credential> both = identity == null ? header.get() : Mono.zip(header.get(), identity.get(), Credential::withIdentity);
            return both.doOnNext(credential -> {
                if (credential.identity() != null) {
                    expiry.check(credential.identity().chain());
                }
            });
        }

        @Override
        public void refused(Credential credential) {
            if (identity == null) {
                header.refused(credential);
                return;
            }
            header.refusedIf(given -> Objects.equals(given.authorization(), credential.authorization()));
            if (credential.identity() != null) {
                identity.refused(credential.identity());
            }
        }
    }
}
