package io.reactiveinformer.config;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A resolved {@link ClusterConfig}: the server's address, trust and credentials.
 *
 * @param server without a slash at its end
 * @param namespace for requests that name none; "default" unless configured
 * @param trust read again from time to time if it comes from a file
 * @param credentials supplies the credential of each request
 * @param impersonation the user to act as; null for the authenticated user itself
 * @param proxy null for a direct connection
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

    /**
     * Emits where to connect now, by the current trust and client certificate; a different endpoint after certificates have changed. Fails
     * as {@link #trust} or {@link CredentialSource#current} fails.
     */
    public Mono<Endpoint> endpoint() {
        return Mono.zip(trust, credentials.current(), (believed, credential) ->
                new Endpoint(server, believed, credential.identity(), proxy, compression));
    }

    /**
     * Reports that a server's certificate failed verification by {@code used}. If the authorities come from a file, the next
     * {@link #endpoint} reads it again; otherwise nothing happens.
     */
    public void refused(Trust used) {
        if (trust instanceof WatchedTrust watched) {
            watched.refused(used);
        }
    }

    /**
     * Kills a running credential plugin with all processes that it started, and prevents further runs. Completes when that is done. Works
     * on a scheduler that may block. A {@link CredentialSource} made by the application is left alone.
     */
    public Mono<Void> close() {
        return Mono.<Void>fromRunnable(() -> Credentials.close(credentials)).subscribeOn(Schedulers.boundedElastic());
    }
}
