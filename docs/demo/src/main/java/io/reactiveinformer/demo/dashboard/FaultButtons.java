package io.reactiveinformer.demo.dashboard;

import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.faults.Fault;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The faults that the page can cause on the embedded server. Each one resets all connections, as when a server is killed and another one
 * takes over. They differ in what a client finds when it reconnects.
 */
public final class FaultButtons {

    /**
     * {@code cut}: the server is as before. {@code expire}: the history is gone, 410. {@code pause}: the server refuses connections until
     * {@code resume}.
     */
    static final List<String> NAMES = List.of("cut", "expire", "pause", "resume");

    private static final int ALL_EVENTS = 100_000;
    private static final List<String> WATCHED = List.of("pods", "deployments", "jobs", "nodes", "events");

    private final FakeApiServer server;
    private volatile @Nullable Fault pause;

    /** Faults of {@code server}. Causes none before {@link #press}. */
    public FaultButtons(FakeApiServer server) {
        this.server = server;
    }

    /** The faults that can be caused now. */
    List<String> possible() {
        return List.of("cut", "expire", pause == null ? "pause" : "resume");
    }

    /** Causes the fault; completes when it has happened. */
    Mono<Void> press(String name) {
        return Mono.<Void>fromRunnable(() -> {
            switch (name) {
                case "cut" -> server.restartKeeping(ALL_EVENTS);
                case "expire" -> expire();
                case "pause" -> pause();
                case "resume" -> resume();
                default -> throw new IllegalArgumentException("no such fault: " + name);
            }
        }).subscribeOn(Schedulers.boundedElastic());
    }

    private void expire() {
        WATCHED.forEach(resource -> server.faults().onWatch(resource).expire());
        server.restartKeeping(ALL_EVENTS);
    }

    private synchronized void pause() {
        if (pause == null) {
            pause = server.faults().onAny().always().refuse();
            server.restartKeeping(ALL_EVENTS);
        }
    }

    private synchronized void resume() {
        Fault present = pause;
        if (present != null) {
            present.disarm();
            pause = null;
        }
    }
}
