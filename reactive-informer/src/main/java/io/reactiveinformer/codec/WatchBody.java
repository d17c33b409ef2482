package io.reactiveinformer.codec;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.resource.WatchEvent;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A watch, event by event as it arrives. Each chunk is added, then iterated over: that gives the events that are complete with it, and decodes
 * each only when it is asked for.
 *
 * <p>An event ends where its JSON does, not at a line break: pretty-printed ones have many. Bytes that are no JSON are passed by up to where the
 * next event may begin, and told as one that cannot be read and of which nothing is known.
 */
final class WatchBody<T> implements Iterator<WatchEvent<T>> {

    private enum State {
        BETWEEN, EVENT, GARBAGE
    }

    private static final byte[] TYPE = "type".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OBJECT = "object".getBytes(StandardCharsets.US_ASCII);

    private final EntryReader<T> entries;
    private final ResourceType<T> type;
    private final String attempted;
    private final int largest;
    private final Window window = new Window(0);
    private final ValueScanner scanner = new ValueScanner();
    private final Cursor cursor = new Cursor();

    private State state = State.BETWEEN;
    private boolean started;
    /** Beyond how many bytes the event that the window begins with is given up: a few more than may be, until it is known of which object it is. */
    private int patience;
    /** How much of the event that the window begins with has been looked at. */
    private int scanned;
    /** Where the event ends that the window begins with; 0 while there is none. */
    private int eventTo;
    private @Nullable WatchEvent<T> ready;
    private WatchEvent.@Nullable Unreadable<T> tooLarge;

    /** Of the event last read. */
    private String eventType = "";
    private int objectFrom;

    WatchBody(EntryReader<T> entries, String attempted, int largest) {
        this.entries = entries;
        this.type = entries.type();
        this.attempted = attempted;
        this.largest = largest;
        this.patience = largest;
    }

    Iterable<WatchEvent<T>> add(ByteBuf chunk) {
        window.append(chunk);
        return () -> this;
    }

    @Override
    public boolean hasNext() {
        while (ready == null && eventTo == 0) {
            if (!step()) {
                return false;
            }
        }
        return true;
    }

    /** @throws StatusException for an ERROR event */
    @Override
    public WatchEvent<T> next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        WatchEvent<T> event = ready == null ? event(eventTo) : ready;
        if (eventTo > 0) {
            window.consumeTo(eventTo);
        }
        ready = null;
        eventTo = 0;
        return event;
    }

    private WatchEvent<T> event(int to) {
        if (!findObject(to)) {
            throw new UnexpectedAnswerException("expected events of " + type + ", but JSON of another kind came");
        }
        return switch (eventType) {
            case "ADDED", "MODIFIED", "DELETED" -> change(to);
            case "BOOKMARK" -> bookmark(to);
            case "ERROR" -> throw StatusException.of(StatusReader.ofEvent(window.bytes, objectFrom, to), attempted);
            default -> unreadable(entries.key(window.bytes, objectFrom, to),
                    new UnreadableObjectException("an event of " + type + " is of an unknown type", null));
        };
    }

    /** Reads {@link #eventType} and {@link #objectFrom}, in whatever order they come; false if there is no type. */
    private boolean findObject(int to) {
        eventType = "";
        objectFrom = to;
        cursor.over(window.bytes, window.begin, to);
        cursor.enter();
        while (cursor.nextName()) {
            if (cursor.nameIs(TYPE)) {
                String text = cursor.string();
                eventType = text == null ? "" : text;
            } else if (cursor.nameIs(OBJECT)) {
                objectFrom = cursor.at();
                if (!eventType.isEmpty()) {
                    return true;
                }
                cursor.skip();
            } else {
                cursor.skip();
            }
        }
        return !eventType.isEmpty();
    }

    private WatchEvent<T> change(int to) {
        ObjectKey key = entries.key(window.bytes, objectFrom, to);
        if (key == null) {
            return unreadable(null, new UnreadableObjectException("an event of " + type + " has no metadata.name", null));
        }
        try {
            Versioned<T> entry = entries.entry(key, window.bytes, objectFrom, to);
            return switch (eventType) {
                case "ADDED" -> new WatchEvent.Added<>(key, entry);
                case "MODIFIED" -> new WatchEvent.Modified<>(key, entry);
                default -> new WatchEvent.Deleted<>(key, entry);
            };
        } catch (UnreadableObjectException failure) {
            return unreadable(entries.skim().brokenOff ? null : key, failure);
        }
    }

    private WatchEvent<T> bookmark(int to) {
        Skim skim = entries.skim();
        skim.bookmark(window.bytes, objectFrom, to);
        return skim.resourceVersion == null
                ? unreadable(null, new UnreadableObjectException("a bookmark of " + type + " has no resourceVersion", null))
                : new WatchEvent.Bookmark<>(skim.resourceVersion, skim.initialEventsEnd);
    }

    /** An event of nobody knows which object leaves a gap, so its version must not be gone past either. */
    private WatchEvent.Unreadable<T> unreadable(@Nullable ObjectKey key, UnreadableObjectException failure) {
        if (key == null) {
            return new WatchEvent.Unreadable<>(null, null, null, eventType.equals("DELETED"), failure);
        }
        Skim skim = entries.skim();
        return new WatchEvent.Unreadable<>(key, skim.uid, skim.resourceVersion, eventType.equals("DELETED"), failure);
    }

    /** Goes one step ahead; false if that takes more bytes. */
    private boolean step() {
        return switch (state) {
            case BETWEEN -> window.skipBlanks() && begin();
            case EVENT -> eventBytes();
            case GARBAGE -> garbage();
        };
    }

    private boolean begin() {
        if (window.bytes[window.begin] == '{') {
            started = true;
            become(State.EVENT);
        } else if (started) {
            become(State.GARBAGE);
        } else {
            throw new UnexpectedAnswerException("expected events of " + type + ", but " + Excerpt.of(window) + " came");
        }
        return true;
    }

    private void become(State next) {
        state = next;
        patience = largest;
        scanned = 0;
        scanner.reset();
    }

    private boolean eventBytes() {
        int end = scanner.scan(window.bytes, window.begin, window.begin + scanned, window.end);
        if (end == ValueScanner.BROKEN) {
            window.consumeTo(scanner.resumeAt());
            ready = broken();
            tooLarge = null;
            become(State.BETWEEN);
            return true;
        }
        int to = end == ValueScanner.MORE ? window.end : end;
        if (tooLarge == null && to - window.begin > (end == ValueScanner.MORE ? patience : largest)) {
            if (end == ValueScanner.MORE && patience == largest && !isKnown(to)) {
                patience += EntryReader.LARGEST_METADATA;
            } else {
                tooLarge = tooLarge(to);
            }
        }
        if (end == ValueScanner.MORE) {
            if (tooLarge != null) {
                window.consumeTo(window.end);
            }
            scanned = window.size();
            return false;
        }
        if (tooLarge == null) {
            eventTo = end;
        } else {
            ready = tooLarge;
            tooLarge = null;
            window.consumeTo(end);
        }
        become(State.BETWEEN);
        return true;
    }

    private WatchEvent.Unreadable<T> tooLarge(int to) {
        ObjectKey key = isKnown(to) ? entries.skim().key() : null;
        return unreadable(key, Failures.tooLarge(type, key, largest));
    }

    private boolean isKnown(int to) {
        return findObject(to) && entries.isKnown(window.bytes, objectFrom, to);
    }

    private boolean garbage() {
        for (int i = window.begin; i < window.end; i++) {
            if (window.bytes[i] == '\n') {
                window.consumeTo(i);
                ready = broken();
                become(State.BETWEEN);
                return true;
            }
        }
        window.consumeTo(window.end);
        return false;
    }

    private WatchEvent.Unreadable<T> broken() {
        eventType = "";
        return unreadable(null, new UnreadableObjectException("an event of " + type + " is no well-formed JSON", null));
    }
}
