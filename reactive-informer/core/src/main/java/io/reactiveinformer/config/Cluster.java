package io.reactiveinformer.config;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * What a {@link ClusterConfig} has come to: one server, and us there.
 *
 * @param server without a slash at its end
 * @param namespace for those who say none; "default" where nothing else was configured
 * @param trust read again from time to time where it comes from a file
 * @param credentials asked for each request
 * @param impersonation as whom we act; null for ourselves
 * @param proxy null for the direct way
 * @param compression whether answers may be compressed
 */
public record Cluster(
        URI server,
        String namespace,
        Mono<Trust> trust,
        CredentialSource credentials,
        @Nullable Impersonation impersonation,
        @Nullable Proxy proxy,
        boolean compression) {

    /** Where to connect now; another one after certificates have changed. */
    public Mono<Endpoint> endpoint() {
        return Mono.zip(trust, credentials.current(), (believed, credential) ->
                new Endpoint(server, believed, credential.identity(), proxy, compression));
    }

    /** A server's certificate could not be believed by {@code used}. Where a file says what is believed, that is read again before it is next asked for. */
    public void refused(Trust used) {
        if (trust instanceof WatchedTrust watched) {
            watched.refused(used);
        }
    }

    /** Ends a credential plugin that is running, with all that it started, and runs it no more. Completes when that is done. */
    public Mono<Void> close() {
        return Mono.<Void>fromRunnable(() -> Credentials.close(credentials)).subscribeOn(Schedulers.boundedElastic());
    }
}
