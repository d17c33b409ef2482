package io.reactiveinformer.informer;

import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.store.Index;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

class IndexFilledTest {

    /** A subscriber may take its time: the store must go on meanwhile. In real time, since virtual time knows one thread only. */
    @Test
    void isNotNotifiedByTheWriter() {
        var informer = new SharedInformer<String>("texts", Namespaces.all(), part -> {
            throw new AssertionError("never started");
        }, ReflectorOptions.defaults(), Set.of(), null, null);
        Mono<Thread> received = informer.addIndex(Index.of("length", String::length)).then(Mono.fromCallable(Thread::currentThread));
        assertThat(Flux.concat(received, received).collectList().block(Duration.ofSeconds(30))).doesNotContain(Thread.currentThread());
    }
}
