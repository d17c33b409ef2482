package io.reactiveinformer.config;

import reactor.core.publisher.Mono;

/** Where the proof of who we are comes from, and where a new one comes from when the old one is used up. Asked for each request. */
public interface CredentialSource {

    /** The same for ever. */
    static CredentialSource of(Credential credential) {
        return new FixedCredential(credential);
    }

    /**
     * What is to be sent now: at hand as a rule, else fetched, by one fetch for all who wait. Fails with {@link ConfigException}, or with what
     * whoever issues it answered. Never blocks.
     */
    Mono<Credential> current();

    /**
     * The server did not know {@code credential} (401). The next {@link #current} looks for another one, unless that has happened already, or
     * was tried for the same reason a moment ago: a credential that nobody accepts is not fetched anew for each request.
     */
    void refused(Credential credential);
}
