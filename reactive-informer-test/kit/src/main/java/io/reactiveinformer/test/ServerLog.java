package io.reactiveinformer.test;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.apiserver.internal.server.EventBytes;
import io.reactiveinformer.apiserver.internal.server.RequestHandler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** The log of a server, in order and in its own time: requests and their answers, faults, restarts. For people to read. */
final class ServerLog {

    private static final int KEPT = 1000;
    private static final String NO_ANSWER = ": no answer yet";

    private final Scheduler clock;
    private final Deque<Entry> entries = new ArrayDeque<>(); // guarded by itself
    private long forgotten;
    private long start;

    private static final class Entry {
        private final long at;
        private final String what;
        private volatile String outcome;

        Entry(long at, String what, String outcome) {
            this.at = at;
            this.what = what;
            this.outcome = outcome;
        }

        /** Cancelled before there was an answer. A client that is done with an answer cancels too; then the outcome stays. */
        void abandoned() {
            if (outcome.equals(NO_ANSWER)) {
                outcome = ": the client did not wait for the answer";
            }
        }

        /** Adds the error to the outcome of a watch that was accepted and then fails. */
        void sent(ByteBuf event) {
            if (EventBytes.isError(event)) {
                outcome = outcome + ", then ERROR " + EventBytes.read(event).map(error -> error.path("object").path("code").asString(""))
                        .orElse("");
            }
        }

        String line(long start) {
            return String.format(Locale.ROOT, "%9.3f s  %s%s", Duration.ofNanos(at - start).toMillis() / 1000.0, what, outcome);
        }
    }

    ServerLog(Scheduler clock) {
        this.clock = clock;
        this.start = clock.now(TimeUnit.NANOSECONDS);
    }

    RequestHandler around(RequestHandler handler) {
        return request -> Mono.defer(() -> {
            boolean isWatch = request.verb() == Verb.WATCH;
            Entry entry = add(request.toString(), NO_ANSWER);
            return handler.handle(request)
                    .doOnNext(answer -> entry.outcome = ": " + answer.status())
                    .map(answer -> isWatch ? answer.body(answer.body().doOnNext(entry::sent)) : answer)
                    .doOnError(failure -> entry.outcome = ": the connection was broken")
                    .doOnCancel(entry::abandoned);
        });
    }

    void note(String what) {
        add(what, "");
    }

    private Entry add(String what, String outcome) {
        Entry entry = new Entry(clock.now(TimeUnit.NANOSECONDS), what, outcome);
        synchronized (entries) {
            if (entries.size() == KEPT) {
                entries.removeFirst();
                forgotten++;
            }
            entries.addLast(entry);
        }
        return entry;
    }

    List<String> lines() {
        synchronized (entries) {
            List<String> lines = new ArrayList<>();
            if (forgotten > 0) {
                lines.add("(" + forgotten + " earlier lines are not kept)");
            }
            entries.forEach(entry -> lines.add(entry.line(start)));
            return lines;
        }
    }

    void clear() {
        synchronized (entries) {
            entries.clear();
            forgotten = 0;
            start = clock.now(TimeUnit.NANOSECONDS);
        }
    }
}
