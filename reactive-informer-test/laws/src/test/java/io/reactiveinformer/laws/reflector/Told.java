package io.reactiveinformer.laws.reflector;

import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.Versioned;
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
 * What a reflector tells, as text, step by step in virtual time. Pauses are never lengthened: 0.8 s, 1.6 s, 3.2 s … It lists in pages,
 * unless told otherwise.
 */
final class Told {

    private final VirtualTimeScheduler clock;
    private final List<String> told = new ArrayList<>();
    private final ListerWatcher<String> server;
    private final Disposable subscription;

    private Told(
            VirtualTimeScheduler clock, ListerWatcher<String> server,
            BiFunction<ListerWatcher<String>, ReflectorOptions, Reflector<String>> reflector) {
        this.clock = clock;
        this.server = server;
        ReflectorOptions own = ReflectorOptions.defaults().withStreaming(false).withTimer(clock).withRandom(() -> 0);
        this.subscription = reflector.apply(server, own).events()
                .subscribe(event -> told.add(text(event)), failure -> told.add("failed: " + failure.getMessage()),
                        () -> told.add("completed"));
    }

    static Told by(VirtualTimeScheduler clock, ListerWatcher<String> server) {
        return by(clock, server, options -> options);
    }

    static Told by(
            VirtualTimeScheduler clock, ListerWatcher<String> server, UnaryOperator<ReflectorOptions> options) {
        return by(clock, server, (source, own) -> Reflector.of(source, options.apply(own)));
    }

    static Told by(
            VirtualTimeScheduler clock, ListerWatcher<String> server,
            BiFunction<ListerWatcher<String>, ReflectorOptions, Reflector<String>> reflector) {
        return new Told(clock, server, reflector);
    }

    /** This, and nothing else, since it was asked last. */
    Told tells(String... expected) {
        assertThat(told).containsExactly(expected);
        told.clear();
        return this;
    }

    Told after(Duration time) {
        clock.advanceTimeBy(time);
        return this;
    }

    Told afterSeconds(double seconds) {
        return after(Duration.ofMillis(Math.round(seconds * 1000)));
    }

    /** As {@link #tells}, but first this. */
    Told whatever() {
        told.clear();
        return this;
    }

    List<String> told() {
        return told;
    }

    void end() {
        tells();
        cancel();
        if (server instanceof ScriptedListerWatcher<String> scripted) {
            scripted.verifyPlayedToTheEnd();
        }
    }

    void cancel() {
        subscription.dispose();
    }

    private static String text(ReflectorEvent<String> event) {
        if (event instanceof ReflectorEvent.ListingStarted<String>) {
            return "listing";
        } else if (event instanceof ReflectorEvent.Listed<String> listed) {
            return text(listed.key(), listed.entry());
        } else if (event instanceof ReflectorEvent.ListingEnded<String> ended) {
            return (ended.newEpoch() ? "new epoch " : "listed ") + ended.resourceVersion();
        } else if (event instanceof ReflectorEvent.Watching<String> watching) {
            return "watching " + watching.resourceVersion();
        } else if (event instanceof ReflectorEvent.Upserted<String> upserted) {
            return "+" + text(upserted.key(), upserted.entry());
        } else if (event instanceof ReflectorEvent.Deleted<String> deleted) {
            return "-" + text(deleted.key(), deleted.entry());
        } else if (event instanceof ReflectorEvent.Bookmark<String> bookmark) {
            return "bookmark " + bookmark.resourceVersion();
        } else if (event instanceof ReflectorEvent.Unreadable<String> unreadable) {
            return "?" + unreadable.key() + "@" + unreadable.resourceVersion();
        }
        var disrupted = (ReflectorEvent.Disrupted<String>) event;
        String cause = disrupted.cause() instanceof StatusException refusal ? String.valueOf(refusal.code()) : "transport";
        return cause + " #" + disrupted.attempt() + (disrupted.relist() ? ", list in " : ", resume in ")
                + disrupted.retryIn().toMillis() / 1000.0;
    }

    private static String text(ObjectKey key, Versioned<String> entry) {
        return key + "@" + entry.resourceVersion();
    }
}
