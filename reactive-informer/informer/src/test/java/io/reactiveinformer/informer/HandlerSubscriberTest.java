package io.reactiveinformer.informer;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.view.Audited;
import io.reactiveinformer.view.Change;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HandlerSubscriberTest {

    private final List<String> received = new ArrayList<>();

    private static Audited<ObjectKey, String> added(String object) {
        return new Audited.State<>(new Change.Added<>(ObjectKey.of("n", object), new Versioned<>("u", "1", object), true));
    }

    private HandlerSubscriber<String> handling(Error failure) {
        return new HandlerSubscriber<>(new ResourceEventHandler<>() {
            @Override
            public void onAdd(String object, boolean initial) {
                received.add(object);
                if (object.equals("bad")) {
                    throw failure;
                }
            }

            @Override
            public void onFailure(Change<ObjectKey, String> change, Throwable cause) {
                received.add("failed: " + cause.getMessage());
            }
        }, () -> {
            throw new AssertionError("nobody stopped it");
        });
    }

    /** Reactor takes both for the end of the world. */
    @ParameterizedTest
    @ValueSource(classes = {NoClassDefFoundError.class, StackOverflowError.class})
    void goesOnAfterWhatIsMissingOrTooDeepInAHandler(Class<? extends Error> type) throws ReflectiveOperationException {
        Flux.just(added("a"), added("bad"), added("b")).subscribe(handling(type.getConstructor(String.class).newInstance("x")));
        assertThat(received).containsExactly("a", "bad", "failed: x", "b");
    }

    @Test
    void aCallerThatWaitsForAHandlerLearnsThatMemoryIsShort() {
        HandlerSubscriber<String> handler = handling(new OutOfMemoryError("heap"));
        assertThatThrownBy(() -> Flux.just(added("bad")).subscribe(handler)).isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> handler.synced().block()).hasStackTraceContaining("heap");
    }

    @Test
    void receivesNothingThatWasOnItsWayWhenItWasTakenAway() {
        Sinks.Many<Audited<ObjectKey, String>> changes = Sinks.many().unicast().onBackpressureBuffer();
        HandlerSubscriber<String> handler = handling(new AssertionError());
        changes.asFlux().subscribe(handler);
        handler.dispose();
        handler.onNext(added("a"));
        assertThat(received).isEmpty();
    }

    @Test
    void isToldOfEachRowWhereStatesAreMissing() {
        HandlerSubscriber<String> handler = handling(new AssertionError());
        List<Change<ObjectKey, String>> rows = List.of(((Audited.State<ObjectKey, String>) added("a")).change(),
                ((Audited.State<ObjectKey, String>) added("b")).change());
        Flux.<Audited<ObjectKey, String>>just(new Audited.Gap<>(4, Instant.EPOCH, rows), added("c")).subscribe(handler);
        assertThat(received).containsExactly("a", "b", "c");
    }
}
