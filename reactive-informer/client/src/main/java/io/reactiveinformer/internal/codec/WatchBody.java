package io.reactiveinformer.internal.codec;

import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A watch, event by event as it arrives.
 *
 * <p>An event ends where its JSON does, not at a line break: pretty-printed ones have many. Bytes that are not JSON are emitted as one
 * unreadable event without key and version, and then the watch fails, since it is not known where the next event begins.
 */
class WatchBody<T> extends CutBody<ObjectEvent<T>> {

    private enum State {
        BETWEEN, EVENT, LOST
    }

    private static final byte[] TYPE = "type".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OBJECT = "object".getBytes(StandardCharsets.US_ASCII);

    final EntryReader<T> entries;
    final ResourceType<T> type;
    private final String attempted;
    private final JsonCursor cursor = new JsonCursor();

    private State state = State.BETWEEN;
    private boolean started;

    /** The type of the event last read. */
    String eventType = "";
    int objectFrom;
    int objectTo;

    WatchBody(EntryReader<T> entries, String attempted, int largest) {
        super(0, largest);
        this.entries = entries;
        this.type = entries.type();
        this.attempted = attempted;
    }

    /** @throws StatusException for an ERROR event, and for a refusal instead of an event or of its object, as some proxies pass it on */
    @Override
    ObjectEvent<T> read(int to) {
        if (!findObject(to)) {
            return noEvent(to);
        }
        return switch (eventType) {
            case "ADDED", "MODIFIED", "DELETED" -> change();
            case "BOOKMARK" -> bookmark();
            case "ERROR" -> throw StatusException.of(status(), attempted);
            default -> unknown();
        };
    }

    /** The slice has no type. */
    ObjectEvent<T> noEvent(int to) {
        failIfRefused(window.begin, to);
        failIfRefused(objectFrom, to);
        throw new UnexpectedAnswerException("expected events of " + type + ", but JSON of another kind came");
    }

    /** The object of an ERROR event. */
    Status status() {
        return StatusReader.ofEvent(window.bytes, objectFrom, objectTo);
    }

    private ObjectEvent<T> unknown() {
        ObjectKey key = entries.key(window.bytes, objectFrom, objectTo);
        if (key == null) {
            failIfRefused(objectFrom, objectTo);
        }
        return unreadable(key, new UnreadableObjectException("an event of " + type + " is of an unknown type", null));
    }

    void failIfRefused(int from, int to) {
        Status refusal = StatusReader.insteadOfValue(window.bytes, from, to);
        if (refusal != null) {
            throw StatusException.of(refusal, attempted);
        }
    }

    /** Reads {@link #eventType} and where the object is, in any order; false if there is no type. */
    boolean findObject(int to) {
        eventType = "";
        objectFrom = to;
        objectTo = to;
        cursor.over(window.bytes, window.begin, to);
        cursor.enter();
        while (cursor.nextName()) {
            if (cursor.nameIs(TYPE)) {
                String text = cursor.string();
                eventType = text == null ? "" : text;
                continue;
            }
            if (cursor.nameIs(OBJECT)) {
                objectFrom = cursor.at();
                if (!eventType.isEmpty()) {
                    return true;
                }
            }
            cursor.skip();
        }
        return !eventType.isEmpty();
    }

    private ObjectEvent<T> change() {
        ObjectKey key = entries.key(window.bytes, objectFrom, objectTo);
        if (key == null) {
            failIfRefused(objectFrom, objectTo);
            return unreadable(null, new UnreadableObjectException("an event of " + type + " has no metadata.name", null));
        }
        try {
            Versioned<T> entry = entries.entry(key, window.bytes, objectFrom, objectTo);
            return eventType.equals("DELETED") ? new ObjectEvent.Deleted<>(key, entry)
                    : new ObjectEvent.Applied<>(key, entry, eventType.equals("MODIFIED"));
        } catch (UnreadableObjectException failure) {
            return unreadable(entries.skim().brokenOff ? null : key, failure);
        }
    }

    private ObjectEvent<T> bookmark() {
        Skim skim = entries.skim();
        skim.bookmark(window.bytes, objectFrom, objectTo);
        if (skim.resourceVersion == null || skim.resourceVersion.isEmpty()) {
            failIfRefused(objectFrom, objectTo);
        }
        return skim.resourceVersion == null
                ? unreadable(null, new UnreadableObjectException("a bookmark of " + type + " has no resourceVersion that could be one",
                        null))
                : new ObjectEvent.Bookmark<>(skim.resourceVersion, skim.initialEventsEnd);
    }

    /** An event of an unknown object leaves a gap, so the watch must not resume after its version either. */
    private ObjectEvent.Unreadable<T> unreadable(@Nullable ObjectKey key, UnreadableObjectException failure) {
        if (key == null) {
            return new ObjectEvent.Unreadable<>(null, null, null, eventType.equals("DELETED"), failure);
        }
        Skim skim = entries.skim();
        return new ObjectEvent.Unreadable<>(key, skim.uid, skim.resourceVersion, eventType.equals("DELETED"), failure);
    }

    @Override
    boolean step() {
        return switch (state) {
            case BETWEEN -> window.skipBlanks() && begin();
            case EVENT -> event();
            case LOST -> throw new UnexpectedAnswerException("events of " + type + " came after something else than JSON");
        };
    }

    private boolean begin() {
        if (window.bytes[window.begin] == '{') {
            started = true;
            become(State.EVENT);
        } else if (started) {
            ready = broken();
            become(State.LOST);
        } else {
            throw new UnexpectedAnswerException("expected events of " + type + ", but " + window.excerpt() + " came");
        }
        return true;
    }

    private void become(State next) {
        state = next;
        startValue();
    }

    private boolean event() {
        int end = scan();
        if (end == ValueScanner.BROKEN) {
            ready = broken();
            become(State.LOST);
            return true;
        }
        boolean over = cut(end);
        if (over) {
            become(State.BETWEEN);
        }
        return over;
    }

    /** An event that is no change of an object is always wanted. */
    @Override
    boolean isWanted(int to) {
        return !entries.selects() || !findObject(to) || !isChange() || entries.isWanted(window.bytes, objectFrom, objectTo);
    }

    private boolean isChange() {
        return eventType.equals("ADDED") || eventType.equals("MODIFIED") || eventType.equals("DELETED");
    }

    @Override
    ObjectEvent<T> unread(int to) {
        ObjectKey key = isKnown(to) ? entries.skim().key() : null;
        return unreadable(key, Failures.tooLarge(type, key, largest));
    }

    @Override
    boolean isKnown(int to) {
        return findObject(to) && entries.isKnown(window.bytes, objectFrom, objectTo);
    }

    @Override
    UnexpectedAnswerException endless(String came) {
        return new UnexpectedAnswerException("expected events of " + type + ", but " + came + "event came");
    }

    private ObjectEvent.Unreadable<T> broken() {
        return broken("JSON");
    }

    /** An event that is not {@code encoding}. */
    ObjectEvent.Unreadable<T> broken(String encoding) {
        eventType = "";
        return unreadable(null, new UnreadableObjectException("an event of " + type + " is no well-formed " + encoding, null));
    }
}
