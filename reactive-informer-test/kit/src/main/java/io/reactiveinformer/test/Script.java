package io.reactiveinformer.test;

import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.resource.WatchEvent;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** Answers and events for a {@link ScriptedListerWatcher}, to be imported statically. */
@SuppressWarnings("varargs") // the arrays are only read
public final class Script {

    private Script() {}

    /** The watch is accepted, tells these, and is closed in order. */
    @SafeVarargs
    public static <T> Flux<WatchEvent<T>> closesAfter(WatchEvent<T>... events) {
        return opened(Flux.fromArray(events));
    }

    /** The watch is accepted, tells these, and then nothing more. */
    @SafeVarargs
    public static <T> Flux<WatchEvent<T>> staysOpenAfter(WatchEvent<T>... events) {
        return opened(Flux.fromArray(events)).concatWith(Flux.never());
    }

    /** The watch is accepted, tells these, and then fails: by an ERROR event, or because the connection broke. */
    @SafeVarargs
    public static <T> Flux<WatchEvent<T>> failsAfter(RuntimeException failure, WatchEvent<T>... events) {
        return opened(Flux.fromArray(events)).concatWith(Flux.error(failure));
    }

    /** The watch is accepted; nothing happens. */
    public static <T> Flux<WatchEvent<T>> never() {
        return staysOpenAfter();
    }

    /** The watch is accepted, and told at once that the history does not reach back so far: how current servers say 410. */
    public static <T> Flux<WatchEvent<T>> expired() {
        return failsAfter(refusal(410, "Expired", "too old resource version"));
    }

    /** The request is refused or gets no answer; as an answer to lists and watches. */
    public static <E> Flux<E> refused(RuntimeException failure) {
        return Flux.error(failure);
    }

    public static StatusException refusal(int code, String reason, String message) {
        return StatusException.of(Status.of(code, reason, message), "do what the script was asked");
    }

    public static StatusException refusal(int code, String reason, Duration retryAfter) {
        return StatusException.of(new Status(code, reason, "", List.of(), retryAfter), "do what the script was asked");
    }

    /** The server says that a version is from its future. */
    public static StatusException tooLarge() {
        var cause = new Status.Cause("ResourceVersionTooLarge", "Too large resource version", "");
        return StatusException.of(new Status(504, "Timeout", "", List.of(cause), null), "do what the script was asked");
    }

    public static TransportException broken() {
        return new TransportException("the script says that the connection broke", null);
    }

    public static <T> WatchEvent<T> added(T object, String resourceVersion) {
        return new WatchEvent.Added<>(key(object), versioned(object, resourceVersion));
    }

    public static <T> WatchEvent<T> modified(T object, String resourceVersion) {
        return new WatchEvent.Modified<>(key(object), versioned(object, resourceVersion));
    }

    public static <T> WatchEvent<T> deleted(T object, String resourceVersion) {
        return new WatchEvent.Deleted<>(key(object), versioned(object, resourceVersion));
    }

    public static <T> WatchEvent<T> bookmark(String resourceVersion) {
        return new WatchEvent.Bookmark<>(resourceVersion, false);
    }

    /** What ends the initial events of a streaming list. */
    public static <T> WatchEvent<T> endMark(String resourceVersion) {
        return new WatchEvent.Bookmark<>(resourceVersion, true);
    }

    /** A change to {@code name} whose state nobody can read. */
    public static <T> WatchEvent<T> unreadable(@Nullable String name, @Nullable String resourceVersion) {
        ObjectKey key = name == null ? null : ObjectKey.parse(name);
        return new WatchEvent.Unreadable<>(key, name == null ? null : "uid-" + name, resourceVersion, false,
                new UnreadableObjectException("the script says that it cannot be read: " + name, null));
    }

    public static <T> ListEvent<T> item(T object, String resourceVersion) {
        return new ListEvent.Item<>(key(object), versioned(object, resourceVersion));
    }

    public static <T> ListEvent<T> unreadableItem(String name, String resourceVersion) {
        return new ListEvent.Unreadable<>(ObjectKey.parse(name), "uid-" + name, resourceVersion,
                new UnreadableObjectException("the script says that it cannot be read: " + name, null));
    }

    public static <T> ListEvent<T> lastPage(String resourceVersion) {
        return new ListEvent.End<>(resourceVersion, null);
    }

    private static <T> Flux<WatchEvent<T>> opened(Flux<WatchEvent<T>> events) {
        return Flux.<WatchEvent<T>>just(new WatchEvent.Opened<>()).concatWith(events);
    }

    static ObjectKey key(Object object) {
        return ObjectKey.parse(name(object));
    }

    static <T> Versioned<T> versioned(T object, @Nullable String resourceVersion) {
        return new Versioned<>("uid-" + name(object), resourceVersion, object);
    }

    private static String name(Object object) {
        String text = String.valueOf(object);
        int colon = text.indexOf(':');
        return colon < 0 ? text : text.substring(0, colon);
    }
}
