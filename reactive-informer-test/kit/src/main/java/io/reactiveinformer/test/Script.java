package io.reactiveinformer.test;

import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** Answers and events for a {@link ScriptedListerWatcher}, for static import. Objects are named as that class says. */
@SuppressWarnings("varargs") // the arrays are only read
public final class Script {

    private Script() {}

    /** A watch that is accepted, emits these events, and completes. */
    @SafeVarargs
    public static <T> Flux<ObjectEvent<T>> closesAfter(ObjectEvent<T>... events) {
        return opened(Flux.fromArray(events));
    }

    /** A watch that is accepted, emits these events, and stays open without further events. */
    @SafeVarargs
    public static <T> Flux<ObjectEvent<T>> staysOpenAfter(ObjectEvent<T>... events) {
        return opened(Flux.fromArray(events)).concatWith(Flux.never());
    }

    /**
     * A watch that is accepted, emits these events, and then fails with {@code failure}: by an ERROR event, or because the connection
     * broke.
     */
    @SafeVarargs
    public static <T> Flux<ObjectEvent<T>> failsAfter(RuntimeException failure, ObjectEvent<T>... events) {
        return opened(Flux.fromArray(events)).concatWith(Flux.error(failure));
    }

    /** A watch that is accepted and stays open without events. */
    public static <T> Flux<ObjectEvent<T>> never() {
        return staysOpenAfter();
    }

    /** A watch that is accepted and fails at once because its version is too old: how current servers send 410. */
    public static <T> Flux<ObjectEvent<T>> expired() {
        return failsAfter(refusal(410, "Expired", "too old resource version"));
    }

    /** A list or watch that is refused or gets no answer: it fails with {@code failure} before it is accepted. */
    public static <E> Flux<E> refused(RuntimeException failure) {
        return Flux.error(failure);
    }

    /** A refusal with this HTTP status code, reason and message. */
    public static StatusException refusal(int code, String reason, String message) {
        return StatusException.of(Status.of(code, reason, message), "carry out a request of the script");
    }

    /** A refusal with this HTTP status code and reason that asks the client to wait for {@code retryAfter}. */
    public static StatusException refusal(int code, String reason, Duration retryAfter) {
        return StatusException.of(new Status(code, reason, "", List.of(), retryAfter), "carry out a request of the script");
    }

    /** The refusal of a version that is from the server's future: 504 with the cause {@code ResourceVersionTooLarge}. */
    public static StatusException tooLarge() {
        var cause = new Status.Cause("ResourceVersionTooLarge", "Too large resource version", "");
        return StatusException.of(new Status(504, "Timeout", "", List.of(cause), null), "carry out a request of the script");
    }

    /** The failure of a broken connection. */
    public static TransportException broken() {
        return new TransportException("the script says that the connection broke", null);
    }

    /** An ADDED event of this object at this version. */
    public static <T> ObjectEvent<T> added(T object, String resourceVersion) {
        return new ObjectEvent.Applied<>(key(object), versioned(object, resourceVersion));
    }

    /** A MODIFIED event of this object at this version. */
    public static <T> ObjectEvent<T> modified(T object, String resourceVersion) {
        return new ObjectEvent.Applied<>(key(object), versioned(object, resourceVersion), true);
    }

    /** A DELETED event of this object, in its last state, at this version. */
    public static <T> ObjectEvent<T> deleted(T object, String resourceVersion) {
        return new ObjectEvent.Deleted<>(key(object), versioned(object, resourceVersion));
    }

    /** A bookmark at this version. */
    public static <T> ObjectEvent<T> bookmark(String resourceVersion) {
        return new ObjectEvent.Bookmark<>(resourceVersion, false);
    }

    /** The bookmark that ends the initial events of a streaming list. */
    public static <T> ObjectEvent<T> endMark(String resourceVersion) {
        return new ObjectEvent.Bookmark<>(resourceVersion, true);
    }

    /** A change to the object {@code name} whose state cannot be decoded. The name or the version is null if not even that can be read. */
    public static <T> ObjectEvent<T> unreadable(@Nullable String name, @Nullable String resourceVersion) {
        ObjectKey key = name == null ? null : ObjectKey.parse(name);
        return new ObjectEvent.Unreadable<>(key, name == null ? null : "uid-" + name, resourceVersion, false,
                new UnreadableObjectException("the script says that it cannot be read: " + name, null));
    }

    /** An item of a list at this version. */
    public static <T> ObjectEvent<T> item(T object, String resourceVersion) {
        return new ObjectEvent.Applied<>(key(object), versioned(object, resourceVersion));
    }

    /** An item of a list whose state cannot be decoded. */
    public static <T> ObjectEvent<T> unreadableItem(String name, String resourceVersion) {
        return unreadable(name, resourceVersion);
    }

    /** The end of a list's last page, at this version of the list. */
    public static <T> ObjectEvent<T> lastPage(String resourceVersion) {
        return new ObjectEvent.PageEnd<>(resourceVersion, null);
    }

    private static <T> Flux<ObjectEvent<T>> opened(Flux<ObjectEvent<T>> events) {
        return Flux.<ObjectEvent<T>>just(new ObjectEvent.Opened<>()).concatWith(events);
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
