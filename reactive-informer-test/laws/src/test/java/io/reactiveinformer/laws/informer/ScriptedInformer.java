package io.reactiveinformer.laws.informer;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.test.ScriptedListerWatcher;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Tests of an informer in virtual time, whose server plays a script, and then sends the events of the test. */
abstract class ScriptedInformer {

    final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    final ScriptedListerWatcher<String> server = new ScriptedListerWatcher<>();
    final Sinks.Many<ObjectEvent<String>> events = Sinks.many().unicast().onBackpressureBuffer();
    final Informer<String> informer =
            Informer.over(server, ReflectorOptions.defaults().withStreaming(false).withTimer(time).withRandom(() -> 0));

    @AfterEach
    void realTime() {
        VirtualTimeScheduler.reset();
    }

    void startWith(String... objects) {
        server.onList("10", objects).onWatch("10", Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>()).concatWith(events.asFlux()));
        informer.start();
        settle();
    }

    void settle() {
        time.advanceTimeBy(Duration.ZERO);
    }

    @SafeVarargs
    final void happens(ObjectEvent<String>... next) {
        for (ObjectEvent<String> event : next) {
            events.tryEmitNext(event).orThrow();
            settle();
        }
    }
}
