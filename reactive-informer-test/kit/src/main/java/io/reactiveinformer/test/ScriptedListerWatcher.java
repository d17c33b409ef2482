package io.reactiveinformer.test;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.Versioned;
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
 * A server that follows a script: it answers each request as the next line of the script says, and remembers the first request that does
 * not match the next line. That request, and each after it, gets no answer. If the next line is a plain list, a streaming list is refused,
 * as by servers that do not support it, and is not recorded. Has no threads and no clock of its own, so it runs in virtual time.
 *
 * <pre>{@code
 * var server = new ScriptedListerWatcher<String>()
 *         .onList("10", "a").onWatch("10", expired())
 *         .onList("20", "a", "b").onWatch("20", never());
 * }</pre>
 *
 * <p>Objects are named by their text up to the first colon ({@code "prod/web:2"} is a state of {@code prod/web}); see {@link Script} for
 * answers and events. Any thread may list and watch, but not while a line is added to the script.
 */
public final class ScriptedListerWatcher<T> implements ListerWatcher<T> {

    private final Namespaces part;
    private final Queue<Line<T>> script = new ArrayDeque<>();
    private final Map<T, Versioned<T>> listed = new HashMap<>();
    private final List<String> requests = new ArrayList<>();
    private @Nullable String unexpected;

    /** @param list null if a watch is expected */
    private record Line<T>(String expected, @Nullable Flux<ObjectEvent<T>> list, @Nullable Flux<ObjectEvent<T>> watch) {}

    /** A server of all objects, with an empty script. */
    public ScriptedListerWatcher() {
        this(Namespaces.all());
    }

    /**
     * A server of the objects in {@code part}, with an empty script.
     *
     * @param part {@link Namespaces#all()} or one namespace
     */
    public ScriptedListerWatcher(Namespaces part) {
        this.part = part;
    }

    /**
     * Adds a list of {@code objects}, complete in one page. An object that equals one listed before keeps its version; others have the
     * list's.
     */
    @SafeVarargs
    public final ScriptedListerWatcher<T> onList(String resourceVersion, T... objects) {
        return onPage(resourceVersion, null, objects);
    }

    /**
     * Adds a page of a list. An object that equals one listed before keeps its version; others have the list's.
     *
     * @param next the token of the page after this one; null if this is the last
     */
    @SafeVarargs
    public final ScriptedListerWatcher<T> onPage(String resourceVersion, @Nullable String next, T... objects) {
        List<ObjectEvent<T>> page = new ArrayList<>();
        for (T object : objects) {
            Versioned<T> entry = listed.computeIfAbsent(object, first -> Script.versioned(first, resourceVersion));
            page.add(new ObjectEvent.Applied<>(Script.key(object), entry));
        }
        page.add(new ObjectEvent.PageEnd<>(resourceVersion, next));
        return onList(Flux.fromIterable(page));
    }

    /** Adds the answer to a list, or to one page of it. */
    public ScriptedListerWatcher<T> onList(Publisher<ObjectEvent<T>> answer) {
        script.add(new Line<>("list", Flux.from(answer), null));
        return this;
    }

    /** Adds the answer to a watch of changes after the version {@code from}. */
    public ScriptedListerWatcher<T> onWatch(String from, Publisher<ObjectEvent<T>> answer) {
        script.add(new Line<>("watch " + from, null, Flux.from(answer)));
        return this;
    }

    /**
     * Adds the answer to a streaming list.
     *
     * @param notBefore the version that the request must carry; null for none
     */
    public ScriptedListerWatcher<T> onStream(@Nullable String notBefore, Publisher<ObjectEvent<T>> answer) {
        script.add(new Line<>("stream " + notBefore, null, Flux.from(answer)));
        return this;
    }

    @Override
    public Identity identity() {
        return Identity.of("scripted objects in " + part, part);
    }

    @Override
    public Flux<ObjectEvent<T>> list(ListOptions options, Reading<T> reading) {
        return Flux.defer(() -> {
            Line<T> line = next("list", text(options));
            return line == null ? Flux.never() : Objects.requireNonNull(line.list()).map(event -> shared(event, reading));
        });
    }

    @Override
    public Flux<ObjectEvent<T>> watch(WatchOptions options, Reading<T> reading) {
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
     * The requests so far, in order: {@code list resourceVersion=0 limit=500}, {@code list limit=500 continue=c1}, {@code watch 10},
     * {@code stream null}.
     */
    public synchronized List<String> requests() {
        return List.copyOf(requests);
    }

    /**
     * Verifies that the requests were exactly those of the script.
     *
     * @throws AssertionError if a request did not match the next line of the script, or if a line of the script was never requested
     */
    public synchronized void verifyPlayedToTheEnd() {
        if (unexpected != null) {
            throw new AssertionError(unexpected + "; requests so far: " + requests);
        }
        if (!script.isEmpty()) {
            throw new AssertionError("never requested: " + script.stream().map(Line::expected).toList() + "; requests so far: " + requests);
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
            unexpected = "expected " + (line == null ? "no more requests" : line.expected()) + ", but the request was: " + request;
        }
        return unexpected == null ? script.remove() : null;
    }

    /** As the codec does: an object that is known in this version is replaced by the known instance. */
    private static <T> ObjectEvent<T> shared(ObjectEvent<T> event, Reading<T> reading) {
        if (event instanceof ObjectEvent.Applied<T> item) {
            Versioned<T> held = reading.find(item.key());
            return held != null && held.sameVersion(item.entry()) ? new ObjectEvent.Applied<>(item.key(), held) : event;
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
