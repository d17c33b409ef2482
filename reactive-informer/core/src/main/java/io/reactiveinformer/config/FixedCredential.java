package io.reactiveinformer.config;

import reactor.core.publisher.Mono;

/** Nothing to renew. */
record FixedCredential(Credential credential) implements CredentialSource {

    @Override
    public Mono<Credential> current() {
        return Mono.just(credential);
    }

    @Override
    public void refused(Credential refused) {
        // whoever configured it must do it again
    }
}
