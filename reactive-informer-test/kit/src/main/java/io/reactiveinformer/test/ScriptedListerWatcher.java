package io.reactiveinformer.test;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.Known;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.resource.WatchEvent;
import io.reactiveinformer.source.ListerWatcher;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * A server that follows a script: answers each request as the next line of the script says, and remembers the first one that is not next.
 * Such a request, and each after it, stays without an answer. A streaming list where the script has a plain one is refused, as by servers
 * that do not do them, and is no part of the play. Without threads and clock of its own, so it runs in virtual time.
 *
 * <pre>{@code
 * var server = new ScriptedListerWatcher<String>()
 *         .onList("10", "a").onWatch("10", expired())
 *         .onList("20", "a", "b").onWatch("20", never());
 * }</pre>
 *
 * <p>Objects are named by their text up to the first colon ({@code "prod/web:2"} is a state of {@code prod/web}); see {@link Script} for
 * answers and events. Any thread may ask.
 */
public final class ScriptedListerWatcher<T> implements ListerWatcher<T> {

    private final Scope part;
    private final Queue<Line<T>> script = new ArrayDeque<>();
    private final Map<T, Versioned<T>> listed = new HashMap<>();
    private final List<String> requests = new ArrayList<>();
    private @Nullable String unexpected;

    /** @param list null where a watch is expected */
    private record Line<T>(String expected, @Nullable Flux<ListEvent<T>> list, @Nullable Flux<WatchEvent<T>> watch) {}

    public ScriptedListerWatcher() {
        this(Scope.all());
    }

    /** @param part {@link Scope#all()} or one namespace */
    public ScriptedListerWatcher(Scope part) {
        this.part = part;
    }

    /** A list of {@code objects}, complete in one page. An object that equals one listed before keeps its version, others have the list's. */
    @SafeVarargs
    public final ScriptedListerWatcher<T> onList(String resourceVersion, T... objects) {
        return onPage(resourceVersion, null, objects);
    }

    /** @param next asks for the page after this one; null if this is the last */
    @SafeVarargs
    public final ScriptedListerWatcher<T> onPage(String resourceVersion, @Nullable String next, T... objects) {
        List<ListEvent<T>> page = new ArrayList<>();
        for (T object : objects) {
            Versioned<T> entry = listed.computeIfAbsent(object, first -> Script.versioned(first, resourceVersion));
            page.add(new ListEvent.Item<>(Script.key(object), entry));
        }
        page.add(new ListEvent.End<>(resourceVersion, next));
        return onList(Flux.fromIterable(page));
    }

    /** A list, or one page of it. */
    public ScriptedListerWatcher<T> onList(Publisher<ListEvent<T>> answer) {
        script.add(new Line<>("list", Flux.from(answer), null));
        return this;
    }

    /** A watch of changes after {@code from}. */
    public ScriptedListerWatcher<T> onWatch(String from, Publisher<WatchEvent<T>> answer) {
        script.add(new Line<>("watch " + from, null, Flux.from(answer)));
        return this;
    }

    /**
     * A streaming list.
     *
     * @param notBefore the version that the request must carry; null for none
     */
    public ScriptedListerWatcher<T> onStream(@Nullable String notBefore, Publisher<WatchEvent<T>> answer) {
        script.add(new Line<>("stream " + notBefore, null, Flux.from(answer)));
        return this;
    }

    @Override
    public String description() {
        return "scripted objects in " + part;
    }

    @Override
    public Scope part() {
        return part;
    }

    @Override
    public Flux<ListEvent<T>> list(ListOptions options, Known<T> known) {
        return Flux.defer(() -> {
            Line<T> line = next("list", text(options));
            return line == null ? Flux.never() : Objects.requireNonNull(line.list()).map(event -> shared(event, known));
        });
    }

    @Override
    public Flux<WatchEvent<T>> watch(WatchOptions options, Known<T> known) {
        return Flux.defer(() -> {
            if (options.initialEvents() && expectsList()) {
                return Flux.error(Script.refusal(422, "Invalid", "sendInitialEvents: forbidden: the script has a plain list here"));
            }
            String asked = (options.initialEvents() ? "stream " : "watch ") + options.resourceVersion();
            Line<T> line = next(asked, asked);
            return line == null ? Flux.never() : Objects.requireNonNull(line.watch());
        });
    }

    /**
     * What was asked, in order: {@code list resourceVersion=0 limit=500}, {@code list limit=500 continue=c1}, {@code watch 10},
     * {@code stream null}.
     */
    public synchronized List<String> requests() {
        return List.copyOf(requests);
    }

    /** @throws AssertionError if something was asked that was not next in the script, or not all of the script was asked */
    public synchronized void verifyPlayedToTheEnd() {
        if (unexpected != null) {
            throw new AssertionError(unexpected + "; asked so far: " + requests);
        }
        if (!script.isEmpty()) {
            throw new AssertionError("never asked: " + script.stream().map(Line::expected).toList() + "; asked so far: " + requests);
        }
    }

    private synchronized boolean expectsList() {
        Line<T> line = script.peek();
        return unexpected == null && line != null && line.list() != null;
    }

    private synchronized @Nullable Line<T> next(String asked, String request) {
        requests.add(request);
        Line<T> line = script.peek();
        if (unexpected == null && (line == null || !line.expected().equals(asked))) {
            unexpected = "expected " + (line == null ? "no more requests" : line.expected()) + ", but was asked: " + request;
        }
        return unexpected == null ? script.remove() : null;
    }

    /** As the codec does: what is known in this version is that very object. */
    private static <T> ListEvent<T> shared(ListEvent<T> event, Known<T> known) {
        if (event instanceof ListEvent.Item<T> item) {
            Versioned<T> held = known.find(item.key());
            return held != null && held.sameVersion(item.entry()) ? new ListEvent.Item<>(item.key(), held) : event;
        }
        return event;
    }

    private static String text(ListOptions options) {
        var text = new StringBuilder("list");
        append(text, "resourceVersion", options.resourceVersion());
        append(text, "match", options.match() == null ? null : options.match().wire());
        append(text, "limit", options.limit() == 0 ? null : String.valueOf(options.limit()));
        append(text, "continue", options.continueToken());
        return text.toString();
    }

    private static void append(StringBuilder text, String name, @Nullable String value) {
        if (value != null) {
            text.append(' ').append(name).append('=').append(value);
        }
    }
}
