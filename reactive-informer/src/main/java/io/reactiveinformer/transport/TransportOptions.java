package io.reactiveinformer.transport;

import java.time.Duration;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * @param connectTimeout for TCP, and again for the TLS handshake
 * @param silence the longest time without a byte while one is waited for, where a request says nothing else
 * @param threads that serve all connections, started when they are first needed
 * @param timer measures {@code silence}
 */
public record TransportOptions(Duration connectTimeout, Duration silence, int threads, Scheduler timer) {

    /** The API server gives up a request of its own after 60 s; that answer is worth waiting for. */
    private static final TransportOptions DEFAULTS = new TransportOptions(
            Duration.ofSeconds(10), Duration.ofSeconds(75), Math.min(4, Runtime.getRuntime().availableProcessors()), Schedulers.parallel());

    public TransportOptions {
        if (connectTimeout.toMillis() <= 0 || silence.toMillis() <= 0) {
            throw new IllegalArgumentException("timeouts must be positive, were " + connectTimeout + " to connect, " + silence + " of silence");
        }
        if (threads < 1) {
            throw new IllegalArgumentException("a transport needs at least one thread, was " + threads);
        }
    }

    public static TransportOptions defaults() {
        return DEFAULTS;
    }

    public TransportOptions withConnectTimeout(Duration other) {
        return new TransportOptions(other, silence, threads, timer);
    }

    public TransportOptions withSilence(Duration other, Scheduler otherTimer) {
        return new TransportOptions(connectTimeout, other, threads, otherTimer);
    }

    public TransportOptions withThreads(int other) {
        return new TransportOptions(connectTimeout, silence, other, timer);
    }
}
