package io.reactiveinformer.config;

import io.reactiveinformer.config.Cluster.Trust;
import java.util.function.Consumer;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/** Trust by a file of authorities, which may be replaced while the process runs. */
final class WatchedTrust extends Mono<Trust> {

    private final Renewable<Trust> file;
    private final Mono<Trust> current;

    /** @param check called with each emitted value */
    WatchedTrust(Renewable<Trust> file, Consumer<Trust> check) {
        this.file = file;
        this.current = file.get().doOnNext(check);
    }

    @Override
    public void subscribe(CoreSubscriber<? super Trust> actual) {
        current.subscribe(actual);
    }

    /** A server's certificate failed verification by {@code used}: the next subscription reads the file again. */
    void refused(Trust used) {
        file.refused(used);
    }
}
