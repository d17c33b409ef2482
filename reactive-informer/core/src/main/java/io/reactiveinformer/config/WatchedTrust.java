package io.reactiveinformer.config;

import java.util.function.Consumer;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/** What is believed as a file says, which others replace while we run. */
final class WatchedTrust extends Mono<Trust> {

    private final Renewable<Trust> file;
    private final Mono<Trust> current;

    /** @param check gets what is given, each time */
    WatchedTrust(Renewable<Trust> file, Consumer<Trust> check) {
        this.file = file;
        this.current = file.get().doOnNext(check);
    }

    @Override
    public void subscribe(CoreSubscriber<? super Trust> actual) {
        current.subscribe(actual);
    }

    /** A server cannot be believed by {@code used}: the file is read again before it is next asked for. */
    void refused(Trust used) {
        file.refused(used);
    }
}
