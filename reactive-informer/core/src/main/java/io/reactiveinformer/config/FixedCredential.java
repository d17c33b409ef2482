package io.reactiveinformer.config;

import reactor.core.publisher.Mono;

/** A credential that is never renewed. */
record FixedCredential(Credential credential) implements CredentialSource {

    @Override
    public Mono<Credential> current() {
        return Mono.just(credential);
    }

    @Override
    public void refused(Credential refused) {
        // only a new configuration can replace it
    }
}
