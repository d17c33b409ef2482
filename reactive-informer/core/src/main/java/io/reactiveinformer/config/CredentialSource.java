package io.reactiveinformer.config;

import reactor.core.publisher.Mono;

/** Supplies the credential of each request, and a new one after the server has rejected the old one. Calls come from any thread. */
public interface CredentialSource {

    /** Always emits {@code credential}, even after it was refused. */
    static CredentialSource of(Credential credential) {
        return new FixedCredential(credential);
    }

    /**
     * Emits the credential to send now: usually a cached one, else one that is fetched, by one fetch for all subscribers that wait. Fails
     * with {@link ConfigException}, or with the failure of its issuer. Never blocks.
     */
    Mono<Credential> current();

    /**
     * Reports that the server rejected {@code credential} (401). The next {@link #current} fetches another one, unless that has happened
     * already, or was tried for the same reason a moment ago: a credential that is always rejected is not fetched for each request.
     */
    void refused(Credential credential);
}
