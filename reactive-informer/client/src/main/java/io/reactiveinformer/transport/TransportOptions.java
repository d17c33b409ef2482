package io.reactiveinformer.transport;

import io.reactiveinformer.internal.SparedTimer;
import java.time.Duration;
import reactor.core.scheduler.Scheduler;

/**
 * Limits and protocol settings of a transport over sockets. Immutable: each {@code with} method returns a copy.
 *
 * @param connectTimeout for TCP, and again for the TLS handshake
 * @param silence the longest time without a byte while one is awaited: of an answer's headers always, of its body unless the request sets
 *     another limit
 * @param http2 whether HTTP/2 is used with servers that offer it over TLS; otherwise, and always through a proxy that is itself reached
 *     over TLS, each watch has a connection of its own
 * @param ping over HTTP/2: the time without a byte in either direction after which a ping is sent
 * @param pingTimeout how long the answer to a ping may take; then the connection is closed, and all exchanges on it fail
 * @param jvmResolver whether the Java runtime resolves the names of servers, as the operating system does: by the hosts file, the name
 *     service switch and its own choice of name servers (split DNS). Otherwise Netty does, by the name servers of this machine's
 *     configuration and the hosts file as it was at the start
 * @param threads number of event loop threads for all connections; each is started when it is first needed
 * @param timer measures {@code silence}; a daemon thread unless set
 */
public record TransportOptions(
        Duration connectTimeout, Duration silence, boolean http2, Duration ping, Duration pingTimeout, boolean jvmResolver,
        int threads, Scheduler timer) {

    /** The API server times a request out after 60 s, and that answer is worth waiting for. The rest is as in client-go. */
    private static final TransportOptions DEFAULTS = new TransportOptions(
            Duration.ofSeconds(10),
            Duration.ofSeconds(75),
            true,
            Duration.ofSeconds(30),
            Duration.ofSeconds(15),
            false,
            Math.min(4, Runtime.getRuntime().availableProcessors()),
            SparedTimer.named("reactive-informer-timer"));

    /** @throws IllegalArgumentException if a duration is less than 1 ms, or {@code threads} less than 1 */
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

    /**
     * 10 s to connect, 75 s of silence, HTTP/2, a ping after 30 s with 15 s for its answer, and one thread for each processor, at most 4.
     * All transports with these options share one timer thread.
     */
    public static TransportOptions defaults() {
        return DEFAULTS;
    }

    /** A copy with another time limit for TCP, and again for the TLS handshake; at least 1 ms. */
    public TransportOptions withConnectTimeout(Duration other) {
        return new TransportOptions(other, silence, http2, ping, pingTimeout, jvmResolver, threads, timer);
    }

    /** A copy with another limit of silence, at least 1 ms, and the timer that measures it. */
    public TransportOptions withSilence(Duration other, Scheduler otherTimer) {
        return new TransportOptions(connectTimeout, other, http2, ping, pingTimeout, jvmResolver, threads, otherTimer);
    }

    /** A copy that uses HTTP/2 with servers that offer it over TLS, or HTTP/1.1 only. */
    public TransportOptions withHttp2(boolean other) {
        return new TransportOptions(connectTimeout, silence, other, ping, pingTimeout, jvmResolver, threads, timer);
    }

    /**
     * A copy with another {@link #ping}, and another time limit for its answer; at least 1 ms each. {@code other} is also the longest time
     * that an idle connection is kept.
     */
    public TransportOptions withPing(Duration other, Duration otherTimeout) {
        return new TransportOptions(connectTimeout, silence, http2, other, otherTimeout, jvmResolver, threads, timer);
    }

    /**
     * A copy whose names of servers are resolved by the Java runtime, or by Netty. The runtime's resolver blocks a thread for each look-up,
     * one of {@link reactor.core.scheduler.Schedulers#boundedElastic}; its cache follows {@code networkaddress.cache.ttl}.
     */
    public TransportOptions withJvmResolver(boolean other) {
        return new TransportOptions(connectTimeout, silence, http2, ping, pingTimeout, other, threads, timer);
    }

    /** A copy with another number of event loop threads; at least 1. */
    public TransportOptions withThreads(int other) {
        return new TransportOptions(connectTimeout, silence, http2, ping, pingTimeout, jvmResolver, other, timer);
    }
}
