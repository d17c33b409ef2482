package io.reactiveinformer.codec;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import io.reactiveinformer.resource.UnreadableObjectException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A list, item by item as it arrives. Each chunk is added, then iterated over: that gives the items that are complete with it, and decodes each
 * only when it is asked for.
 *
 * <pre>
 *           {           "…"           :                  items: [             {
 *  START ─────▶ NAME ───────▶ COLON ─────▶ BEFORE_VALUE ─────────▶ BETWEEN ─────▶ ITEM
 *              │ ▲  ▲                            │ other            │   ▲           │
 *            } │ │  └────────── its end ─────── VALUE             ] │   └─ its end ─┘
 *              ▼ └──────────────────────────────────────────────────┘
 *             END
 * </pre>
 */
final class ListBody<T> implements Iterator<ListEvent<T>> {

    /** Most bytes of one name or value beside the items: a continue token is the largest, and has some hundred. */
    private static final int LARGEST_HEADER = 1 << 20;

    private enum State {
        START, NAME, COLON, BEFORE_VALUE, VALUE, BETWEEN, ITEM, END
    }

    private final EntryReader<T> entries;
    private final ResourceType<T> type;
    private final int largest;
    private final Window window = new Window(EntryReader.HEADROOM);
    private final ValueScanner scanner = new ValueScanner();
    private final ListHeader header;

    private State state = State.START;
    /** Beyond how many bytes the item that the window begins with is given up: a few more than may be, until it is known which one it is. */
    private int patience;
    /** How much of the value that the window begins with has been looked at. */
    private int scanned;
    private String name = "";
    /** Where the item ends that the window begins with; 0 while there is none. */
    private int itemTo;
    private @Nullable ListEvent<T> ready;
    private ListEvent.@Nullable Unreadable<T> tooLarge;

    ListBody(EntryReader<T> entries, int largest) {
        this.entries = entries;
        this.type = entries.type();
        this.largest = largest;
        this.patience = largest;
        this.header = new ListHeader(type);
    }

    Iterable<ListEvent<T>> add(ByteBuf chunk) {
        window.append(chunk);
        return () -> this;
    }

    /** @throws TransportException if the list has not come to its end */
    void end() {
        if (state != State.END) {
            throw new TransportException("the list of " + type + " broke off before its end", null);
        }
    }

    @Override
    public boolean hasNext() {
        while (ready == null && itemTo == 0) {
            if (!step()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public ListEvent<T> next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        ListEvent<T> event = ready == null ? item(itemTo) : ready;
        if (itemTo > 0) {
            window.consumeTo(itemTo);
        }
        ready = null;
        itemTo = 0;
        return event;
    }

    private ListEvent<T> item(int to) {
        ObjectKey key = keyOfItem(to);
        Skim skim = entries.skim();
        try {
            return new ListEvent.Item<>(key, entries.item(key, window.bytes, window.begin, to, header.apiVersion(), header.itemKind()));
        } catch (UnreadableObjectException failure) {
            checkMetadata(skim);
            return new ListEvent.Unreadable<>(key, skim.uid, skim.resourceVersion, failure);
        }
    }

    private void checkMetadata(Skim skim) {
        if (skim.brokenOff) {
            throw new UnexpectedAnswerException("an item in the list of " + type + " has metadata that is no well-formed JSON");
        }
    }

    private ObjectKey keyOfItem(int to) {
        ObjectKey key = entries.key(window.bytes, window.begin, to);
        if (key == null) {
            throw new UnexpectedAnswerException("an item in the list of " + type + " has no metadata.name");
        }
        return key;
    }

    /** Goes one step ahead; false if that takes more bytes. */
    private boolean step() {
        boolean within = state == State.VALUE || state == State.ITEM || scanned > 0;
        if (!within && !window.skipBlanks()) {
            return false;
        }
        return switch (state) {
            case START -> expect('{', State.NAME);
            case NAME -> name();
            case COLON -> expect(':', State.BEFORE_VALUE);
            case BEFORE_VALUE -> beforeValue();
            case VALUE -> value();
            case BETWEEN -> between();
            case ITEM -> itemBytes();
            case END -> {
                window.consumeTo(window.end);
                yield false;
            }
        };
    }

    private boolean expect(char mark, State then) {
        if (window.bytes[window.begin] != mark) {
            throw header.unexpected(Excerpt.of(window));
        }
        window.begin++;
        become(then);
        return true;
    }

    private void become(State next) {
        state = next;
        patience = largest;
        scanned = 0;
        scanner.reset();
    }

    private boolean name() {
        byte b = window.bytes[window.begin];
        if (scanned == 0 && b == ',') {
            window.begin++;
            return true;
        }
        if (scanned == 0 && b == '}') {
            become(State.END);
            ready = header.end();
            return true;
        }
        if (b != '"') {
            throw header.unexpected("something else than JSON");
        }
        int end = scan();
        if (end > 0) {
            name = new String(window.bytes, window.begin + 1, end - window.begin - 2, StandardCharsets.UTF_8);
            window.consumeTo(end);
            become(State.COLON);
        } else {
            checkHeader();
        }
        return end > 0;
    }

    private boolean beforeValue() {
        become(State.VALUE);
        if (name.equals("items")) {
            header.itemsCame();
            if (window.bytes[window.begin] == '[') {
                window.begin++;
                become(State.BETWEEN);
            }
        }
        return true;
    }

    private boolean value() {
        int end = scan();
        if (end > 0) {
            header.property(name, window.bytes, window.begin, end);
            window.consumeTo(end);
            become(State.NAME);
        } else if (ListHeader.keeps(name)) {
            checkHeader();
        } else {
            passBy();
        }
        return end > 0;
    }

    /** What is kept of a list besides its items is small. */
    private void checkHeader() {
        if (window.size() > LARGEST_HEADER) {
            throw header.unexpected("more than " + (LARGEST_HEADER >> 10) + " KiB that are no items");
        }
    }

    private boolean between() {
        switch (window.bytes[window.begin]) {
            case ',' -> window.begin++;
            case ']' -> {
                window.begin++;
                become(State.NAME);
            }
            case '{' -> become(State.ITEM);
            default -> throw header.unexpected("an item that is no object");
        }
        return true;
    }

    private boolean itemBytes() {
        int end = scan();
        int to = end > 0 ? end : window.end;
        if (tooLarge == null && to - window.begin > (end > 0 ? largest : patience)) {
            if (end == 0 && patience == largest && !entries.isKnown(window.bytes, window.begin, to)) {
                patience += EntryReader.LARGEST_METADATA;
                return false;
            }
            tooLarge = tooLarge(to);
        }
        if (end == 0) {
            if (tooLarge != null) {
                passBy();
            }
            return false;
        }
        if (tooLarge == null) {
            itemTo = end;
        } else {
            ready = tooLarge;
            tooLarge = null;
            window.consumeTo(end);
        }
        become(State.BETWEEN);
        return true;
    }

    private ListEvent.Unreadable<T> tooLarge(int to) {
        ObjectKey key = keyOfItem(to);
        Skim skim = entries.skim();
        checkMetadata(skim);
        return new ListEvent.Unreadable<>(key, skim.uid, skim.resourceVersion, Failures.tooLarge(type, key, largest));
    }

    private void passBy() {
        window.consumeTo(window.end);
        scanned = 0;
    }

    /** The end of the value that the window begins with; 0 if it has not come yet. */
    private int scan() {
        int end = scanner.scan(window.bytes, window.begin, window.begin + scanned, window.end);
        if (end == ValueScanner.BROKEN) {
            throw header.unexpected("something else than JSON");
        }
        scanned = end == ValueScanner.MORE ? window.size() : 0;
        return Math.max(end, 0);
    }
}
