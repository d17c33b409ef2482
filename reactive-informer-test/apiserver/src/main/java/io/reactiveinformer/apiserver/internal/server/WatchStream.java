package io.reactiveinformer.apiserver.internal.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.CustomSchema;
import io.reactiveinformer.apiserver.internal.cluster.EventCursor;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ObjectEvent;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.Selection;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import io.reactiveinformer.apiserver.internal.cluster.WebhookCall;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.FluxSink;
import reactor.core.scheduler.Scheduler;

/**
 * One open watch: the initial objects, then the events, then the end. Everything but {@link #wake} runs on the worker. Events are read from
 * the shared history only as they are requested, so a watch keeps at most {@link #BATCH} of them. If the subscriber requests too slowly,
 * the watch loses its place and ends, as in the real server.
 */
final class WatchStream {

    private static final int BATCH = 64;
    private static final byte[] END = Json.utf8("}\n");
    private static final Map<ObjectEvent.Type, byte[]> STARTS = Stream.of(ObjectEvent.Type.values())
            .collect(Collectors.toMap(type -> type, type -> Json.utf8("{\"type\":\"" + type + "\",\"object\":")));

    /** @param from -1 for the most recent state */
    record Request(
            ResourceDefinition type, String version, Selection selection, long from, boolean sendInitialEvents, boolean bookmarks,
            Duration timeout) {

        boolean beginsWithState() {
            return from <= 0 || sendInitialEvents;
        }
    }

    private final Request request;
    private final Representation form;
    private final Watches server;
    private final Scheduler.Worker worker;
    private final FluxSink<ByteBuf> sink;

    /** True while a drain is scheduled; also from the start until there is something to drain. */
    private final AtomicBoolean woken = new AtomicBoolean(true);
    private final Deque<ObjectEvent> ready = new ArrayDeque<>();
    private @Nullable EventCursor cursor;
    private int initialShown;
    private boolean initialEnded;
    private boolean bookmarkDue;
    private boolean over;
    private volatile boolean asked; // a webhook, and nothing is shown until it replies
    private volatile @Nullable Throwable failed; // set before it is no longer asked

    WatchStream(Request request, Representation form, Watches server, Scheduler.Worker worker, FluxSink<ByteBuf> sink) {
        this.request = request;
        this.form = form;
        this.server = server;
        this.worker = worker;
        this.sink = sink;
    }

    void start() {
        try {
            EventCursor opened = request.beginsWithState()
                    ? server.cluster().followPresent(request.type(), request.selection(), this::wake)
                    : server.cluster().follow(request.type(), request.selection(), request.from(), this::wake);
            cursor = opened;
            initialEnded = !(request.sendInitialEvents() && request.bookmarks());
            sink.onDispose(() -> {
                opened.close();
                worker.dispose();
            });
        } catch (ApiFailure expired) {
            sink.next(Watches.errorEvent(server.times().cached()
                    ? expired : ApiFailure.expired("The resourceVersion for the provided watch is too old.")));
            sink.complete();
            worker.dispose();
            return;
        }
        startTimers();
        sink.onRequest(n -> wake());
        woken.set(false);
        wake();
    }

    private void startTimers() {
        Duration lifetime = request.timeout();
        after(lifetime, () -> {
            over = true;
            drain();
        });
        if (request.bookmarks() && server.times().bookmarks() != null) {
            long period = server.times().bookmarks().toMillis();
            worker.schedulePeriodically(this::bookmark, period, period, TimeUnit.MILLISECONDS);
            if (lifetime.compareTo(WatchTimes.SHORTEST_WITH_BOOKMARK) > 0) {
                after(lifetime.minus(WatchTimes.BEFORE_THE_END), this::bookmark);
            }
        }
    }

    private void after(Duration delay, Runnable action) {
        worker.schedule(action, delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void bookmark() {
        bookmarkDue = true;
        drain();
    }

    /** Schedules a drain, since there may be more to send. Any thread may call it. */
    private void wake() {
        if (!sink.isCancelled() && woken.compareAndSet(false, true)) {
            try {
                worker.schedule(() -> {
                    woken.set(false);
                    drain();
                });
            } catch (RejectedExecutionException cancelledMeanwhile) {
                woken.set(true);
            }
        }
    }

    private void drain() {
        while (!sink.isCancelled()) {
            if (over) {
                sink.complete();
                return;
            }
            if (asked) {
                return;
            }
            Throwable failure = failed;
            if (failure != null) {
                sink.next(Watches.errorEvent(failure instanceof ApiFailure refusal ? refusal : ApiFailure.of(500, "", failure.toString())));
                sink.complete();
                return;
            }
            if (sink.requestedFromDownstream() == 0) {
                return;
            }
            try {
                ByteBuf next = next();
                if (next != null) {
                    sink.next(next);
                } else if (!over) {
                    return;
                }
            } catch (WebhookCall call) {
                ask(call);
                return;
            }
        }
    }

    /** Goes on when the webhook has replied; ends with an ERROR if that cannot be used. */
    private void ask(WebhookCall call) {
        asked = true;
        server.webhooks().send(call).doOnError(failure -> failed = failure).doOnTerminate(() -> asked = false)
                .subscribe(none -> { }, failure -> wake(), this::wake);
    }

    /** The next line, or null if there is none for now. */
    private @Nullable ByteBuf next() {
        EventCursor from = Objects.requireNonNull(cursor);
        if (initialShown < from.initial().size()) {
            if (initialShown == 0) {
                CustomSchema.prepare(request.type(), from.initial(), request.version());
            }
            return line(ObjectEvent.Type.ADDED, from.initial().get(initialShown++));
        }
        if (!initialEnded) {
            initialEnded = true;
            return bookmark(from.from(), true);
        }
        if (ready.isEmpty()) {
            EventCursor.Batch batch = from.poll(BATCH);
            ready.addAll(batch.events());
            over = batch.over() && ready.isEmpty();
        }
        ObjectEvent event = ready.peek();
        if (event != null) {
            ByteBuf line = line(event.type(), event.after());
            ready.remove();
            return line;
        }
        long reached = bookmarkDue && !over ? from.reached() : 0;
        if (reached > 0) {
            bookmarkDue = false;
            return bookmark(reached, false);
        }
        return null;
    }

    private ByteBuf line(ObjectEvent.Type type, StoredObject object) {
        List<byte[]> parts = new ArrayList<>(4);
        parts.add(Objects.requireNonNull(STARTS.get(type)));
        parts.addAll(form.single(object));
        parts.add(END);
        return Unpooled.wrappedBuffer(parts.toArray(new byte[0][]));
    }

    private ByteBuf bookmark(long version, boolean initialEventsEnd) {
        return Unpooled.wrappedBuffer(Json.utf8("{\"type\":\"BOOKMARK\",\"object\":"), form.bookmarkObject(version, initialEventsEnd), END);
    }
}
