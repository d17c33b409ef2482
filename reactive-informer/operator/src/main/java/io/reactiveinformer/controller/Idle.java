package io.reactiveinformer.controller;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** The subscribers that wait until certain keys are not worked on. */
final class Idle<K> {

    private final Set<K> running;
    private final List<Waiting<K>> waiting = new CopyOnWriteArrayList<>();

    /** @param running the keys that are worked on; call {@link #left} after a key was removed */
    Idle(Set<K> running) {
        this.running = running;
    }

    private record Waiting<K>(Predicate<? super K> which, MonoSink<Void> sink) {}

    Mono<Void> when(Predicate<? super K> which) {
        return Mono.create(sink -> {
            var one = new Waiting<K>(which, sink);
            waiting.add(one); // before the check: a key that leaves meanwhile causes another
            sink.onDispose(() -> waiting.remove(one));
            look(one);
        });
    }

    void left() {
        waiting.forEach(this::look);
    }

    /** A predicate that throws ends only its own wait. */
    private void look(Waiting<K> one) {
        try {
            if (running.stream().noneMatch(one.which)) {
                one.sink.success();
            }
        } catch (Throwable thrown) {
            one.sink.error(thrown);
        }
    }
}
