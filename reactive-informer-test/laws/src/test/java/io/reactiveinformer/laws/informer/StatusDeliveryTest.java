package io.reactiveinformer.laws.informer;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.test.ScriptedListerWatcher;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

import static io.reactiveinformer.view.InformerStatus.State.IDLE;
import static io.reactiveinformer.view.InformerStatus.State.LISTING;
import static io.reactiveinformer.view.InformerStatus.State.LIVE;
import static io.reactiveinformer.view.InformerStatus.State.STOPPED;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code status(Delivery)} emits as the delivery says, on its scheduler, and by way of no other thread. Reactor's own schedulers stay real
 * here.
 */
class StatusDeliveryTest {

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final ScriptedListerWatcher<String> server = new ScriptedListerWatcher<String>()
            .onList("10", "prod/a").onWatch("10", Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>()).concatWith(Flux.never()));
    private final Informer<String> informer =
            Informer.over(server, ReflectorOptions.defaults().withStreaming(false).withTimer(clock).withRandom(() -> 0));
    private final List<State> states = new ArrayList<>();
    private final Set<Thread> threads = new HashSet<>();

    private void follow(View<ObjectKey, String> view) {
        view.status(Delivery.conflated().on(clock)).map(InformerStatus::state).distinctUntilChanged().subscribe(state -> {
            states.add(state);
            threads.add(Thread.currentThread());
        });
    }

    private void startAndStop() {
        informer.start();
        clock.advanceTimeBy(Duration.ZERO);
        informer.stop();
        clock.advanceTimeBy(Duration.ZERO);
    }

    private void isDeliveredOnTheClock() {
        startAndStop();
        assertThat(states).startsWith(IDLE).contains(LISTING, LIVE).endsWith(STOPPED);
        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    void ofAnInformerIsDeliveredOnTheClockThatTheTestMoves() {
        follow(informer);
        isDeliveredOnTheClock();
        assertThat(states).containsExactly(IDLE, LISTING, LIVE, STOPPED);
    }

    @Test
    void ofADerivedViewToo() {
        follow(informer.map(text -> text + "!").filter(text -> true));
        isDeliveredOnTheClock();
    }

    @Test
    void ofAJoinToo() {
        follow(informer.join(informer, text -> List.of(ObjectKey.parse("prod/a")), (one, others) -> one));
        isDeliveredOnTheClock();
    }

    @Test
    void aSubscriberThatLeavesDuringACallLeavesAlone() {
        List<State> first = new ArrayList<>();
        informer.status(Delivery.conflated().on(Schedulers.immediate())).map(InformerStatus::state).takeUntil(state -> state == LISTING)
                .subscribe(first::add);
        informer.status(Delivery.conflated().on(Schedulers.immediate()))
                .map(InformerStatus::state).distinctUntilChanged().subscribe(states::add);
        startAndStop();
        assertThat(first).containsExactly(IDLE, LISTING);
        assertThat(states).containsExactly(IDLE, LISTING, LIVE, STOPPED);
    }

    @Test
    void aSubscriberThatThrowsDuringACallEndsAlone() {
        List<Throwable> failures = new ArrayList<>();
        informer.status(Delivery.conflated().on(Schedulers.immediate())).subscribe(new BaseSubscriber<>() {
            @Override
            protected void hookOnNext(InformerStatus status) {
                if (status.state() == LISTING) {
                    throw new ThreadDeath();
                }
            }

            @Override
            protected void hookOnError(Throwable failure) {
                failures.add(failure);
            }
        });
        informer.status(Delivery.conflated().on(Schedulers.immediate()))
                .map(InformerStatus::state).distinctUntilChanged().subscribe(states::add);
        startAndStop();
        assertThat(states).containsExactly(IDLE, LISTING, LIVE, STOPPED);
        assertThat(failures).hasSize(1).first().extracting(Throwable::getCause).isInstanceOf(ThreadDeath.class);
    }
}
