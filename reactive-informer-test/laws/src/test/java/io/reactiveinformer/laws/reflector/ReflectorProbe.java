package io.reactiveinformer.laws.reflector;

import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.test.ScriptedListerWatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import reactor.core.Disposable;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Subscribes to a reflector and checks its events as text, step by step in virtual time. Pauses are never lengthened: 0.8 s, 1.6 s,
 * 3.2 s … The reflector lists in pages by default.
 */
final class ReflectorProbe {

    private final VirtualTimeScheduler clock;
    private final List<String> lines = new ArrayList<>();
    private boolean listing;
    private final ListerWatcher<String> server;
    private final Disposable subscription;

    private ReflectorProbe(
            VirtualTimeScheduler clock, ListerWatcher<String> server,
            BiFunction<ListerWatcher<String>, ReflectorOptions, Reflector<String>> reflector) {
        this.clock = clock;
        this.server = server;
        ReflectorOptions own = ReflectorOptions.defaults().withStreaming(false).withTimer(clock).withRandom(() -> 0);
        this.subscription = reflector.apply(server, own).events()
                .subscribe(event -> lines.add(text(event)), failure -> lines.add("failed: " + failure.getMessage()),
                        () -> lines.add("completed"));
    }

    static ReflectorProbe of(VirtualTimeScheduler clock, ListerWatcher<String> server) {
        return of(clock, server, options -> options);
    }

    static ReflectorProbe of(
            VirtualTimeScheduler clock, ListerWatcher<String> server, UnaryOperator<ReflectorOptions> options) {
        return of(clock, server, (source, own) -> Reflector.of(source, options.apply(own)));
    }

    static ReflectorProbe of(
            VirtualTimeScheduler clock, ListerWatcher<String> server,
            BiFunction<ListerWatcher<String>, ReflectorOptions, Reflector<String>> reflector) {
        return new ReflectorProbe(clock, server, reflector);
    }

    /** Exactly these events since the last check. */
    ReflectorProbe emits(String... expected) {
        assertThat(lines).containsExactly(expected);
        lines.clear();
        return this;
    }

    ReflectorProbe after(Duration time) {
        clock.advanceTimeBy(time);
        return this;
    }

    ReflectorProbe afterSeconds(double seconds) {
        return after(Duration.ofMillis(Math.round(seconds * 1000)));
    }

    /** Leaves out what was emitted so far. */
    ReflectorProbe whatever() {
        lines.clear();
        return this;
    }

    List<String> lines() {
        return lines;
    }

    void end() {
        emits();
        cancel();
        if (server instanceof ScriptedListerWatcher<String> scripted) {
            scripted.verifyPlayedToTheEnd();
        }
    }

    void cancel() {
        subscription.dispose();
    }

    private String text(ReflectorEvent<String> event) {
        if (event instanceof ReflectorEvent.ListingStarted<String>) {
            listing = true;
            return "listing";
        } else if (event instanceof ReflectorEvent.ListingEnded<String> ended) {
            listing = false;
            return (ended.newEpoch() ? "new epoch " : "listed ") + ended.resourceVersion();
        } else if (event instanceof ReflectorEvent.Watching<String> watching) {
            return "watching " + watching.resourceVersion();
        } else if (event instanceof ReflectorEvent.Received<String> received) {
            return textOf(received.event());
        }
        var disrupted = (ReflectorEvent.Disrupted<String>) event;
        String cause = disrupted.cause() instanceof StatusException refusal ? String.valueOf(refusal.code()) : "transport";
        return cause + " #" + disrupted.attempt() + (disrupted.relist() ? ", list in " : ", resume in ")
                + disrupted.retryIn().toMillis() / 1000.0;
    }

    private String textOf(ObjectEvent<String> event) {
        if (event instanceof ObjectEvent.Bookmark) {
            return "bookmark " + event.resourceVersion();
        } else if (event instanceof ObjectEvent.Unreadable) {
            return "?" + event.key() + "@" + event.resourceVersion();
        }
        boolean listed = listing && event instanceof ObjectEvent.Applied<String> applied && !applied.modified();
        return (listed ? "" : event.deleted() ? "-" : "+") + event.key() + "@" + event.resourceVersion();
    }
}
