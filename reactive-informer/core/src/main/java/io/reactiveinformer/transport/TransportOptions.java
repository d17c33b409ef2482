package io.reactiveinformer.transport;

import io.reactiveinformer.internal.TimerThread;
import java.time.Duration;
import reactor.core.scheduler.Scheduler;

/**
 * @param connectTimeout for TCP, and again for the TLS handshake
 * @param silence the longest time without a byte while one is waited for: of an answer's headers always, of its body where a request says
 *     nothing else
 * @param http2 whether HTTP/2 is spoken with servers that offer it over TLS; otherwise each watch has a connection to itself, and
 *     through a proxy that is itself spoken to over TLS it always has
 * @param ping over HTTP/2: after how long without a byte, either way, the other side is asked for a sign of life
 * @param pingTimeout how long that sign may take; then the connection, and all that is under way on it, is given up
 * @param threads that serve all connections, started when they are first needed
 * @param timer measures {@code silence}; a daemon thread unless set
 */
public record TransportOptions(
        Duration connectTimeout, Duration silence, boolean http2, Duration ping, Duration pingTimeout, int threads, Scheduler timer) {

    /** The API server gives up a request of its own after 60 s, and that answer is worth waiting for. The rest is as in client-go. */
    private static final TransportOptions DEFAULTS = new TransportOptions(
            Duration.ofSeconds(10),
            Duration.ofSeconds(75),
            true,
            Duration.ofSeconds(30),
            Duration.ofSeconds(15),
            Math.min(4, Runtime.getRuntime().availableProcessors()),
            TimerThread.scheduler("reactive-informer-timer"));

    public TransportOptions {
        requirePositive("connectTimeout", connectTimeout);
        requirePositive("silence", silence);
        requirePositive("ping", ping);
        requirePositive("pingTimeout", pingTimeout);
        if (threads < 1) {
            throw new IllegalArgumentException("threads must be at least 1, was " + threads);
        }
    }

    private static void requirePositive(String name, Duration duration) {
        if (duration.toMillis() <= 0) {
            throw new IllegalArgumentException(name + " must be at least 1 ms, was " + duration);
        }
    }

    public static TransportOptions defaults() {
        return DEFAULTS;
    }

    public TransportOptions withConnectTimeout(Duration other) {
        return new TransportOptions(other, silence, http2, ping, pingTimeout, threads, timer);
    }

    public TransportOptions withSilence(Duration other, Scheduler otherTimer) {
        return new TransportOptions(connectTimeout, other, http2, ping, pingTimeout, threads, otherTimer);
    }

    public TransportOptions withHttp2(boolean other) {
        return new TransportOptions(connectTimeout, silence, other, ping, pingTimeout, threads, timer);
    }

    public TransportOptions withPing(Duration other, Duration otherTimeout) {
        return new TransportOptions(connectTimeout, silence, http2, other, otherTimeout, threads, timer);
    }

    public TransportOptions withThreads(int other) {
        return new TransportOptions(connectTimeout, silence, http2, ping, pingTimeout, other, timer);
    }
}
