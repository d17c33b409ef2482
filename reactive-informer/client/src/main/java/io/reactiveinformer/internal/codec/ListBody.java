package io.reactiveinformer.internal.codec;

import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import io.reactiveinformer.resource.UnreadableObjectException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A list, item by item as it arrives.
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
class ListBody<T> extends CutBody<ObjectEvent<T>> {

    /** Limit of bytes of one name or value besides the items: a continue token is the largest, and has some hundred. */
    static final int LARGEST_HEADER = 1 << 20;

    private enum State {
        START, NAME, COLON, BEFORE_VALUE, VALUE, BETWEEN, ITEM, END
    }

    final EntryReader<T> entries;
    final ResourceType<T> type;
    final ListHeader header;

    private State state = State.START;
    private String name = "";

    ListBody(EntryReader<T> entries, int largest) {
        super(EntryReader.HEADROOM, largest);
        this.entries = entries;
        this.type = entries.type();
        this.header = new ListHeader(type);
    }

    /** @throws TransportException if the list is incomplete */
    @Override
    void end() {
        if (!isOver()) {
            header.failIfRefused();
            throw new TransportException("the list of " + type + " broke off before its end", whyBrokenOff());
        }
    }

    @Nullable RuntimeException whyBrokenOff() {
        return null;
    }

    /** Whether the list ended. */
    boolean isOver() {
        return state == State.END;
    }

    @Override
    ObjectEvent<T> read(int to) {
        ObjectKey key = keyOfItem(to);
        Skim skim = entries.skim();
        try {
            return new ObjectEvent.Applied<>(key,
                    entries.entry(key, window.bytes, window.begin, to, header.apiVersion(), header.itemKind()));
        } catch (UnreadableObjectException failure) {
            checkMetadata(skim);
            return new ObjectEvent.Unreadable<>(key, skim.uid, skim.resourceVersion, false, failure);
        }
    }

    private void checkMetadata(Skim skim) {
        if (skim.brokenOff) {
            throw new UnexpectedAnswerException("an item in the list of " + type + " has metadata that is not well-formed");
        }
    }

    private ObjectKey keyOfItem(int to) {
        ObjectKey key = entries.key(window.bytes, window.begin, to);
        if (key == null) {
            Status refusal = StatusReader.insteadOfValue(window.bytes, window.begin, to);
            if (refusal != null) {
                throw StatusException.of(refusal, "list " + type);
            }
            throw new UnexpectedAnswerException("an item in the list of " + type + " has no metadata.name");
        }
        return key;
    }

    @Override
    boolean step() {
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
            case ITEM -> item();
            case END -> {
                window.consumeTo(window.end);
                yield false;
            }
        };
    }

    private boolean expect(char mark, State then) {
        if (window.bytes[window.begin] != mark) {
            throw header.unexpected(window.excerpt());
        }
        window.begin++;
        become(then);
        return true;
    }

    private void become(State next) {
        state = next;
        startValue();
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
        int end = wellFormed(scan());
        if (end != ValueScanner.MORE) {
            name = new String(window.bytes, window.begin + 1, end - window.begin - 2, StandardCharsets.UTF_8);
            window.consumeTo(end);
            become(State.COLON);
        } else {
            checkHeader();
        }
        return end != ValueScanner.MORE;
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
        int end = wellFormed(scan());
        if (end != ValueScanner.MORE) {
            header.property(name, window.bytes, window.begin, end);
            window.consumeTo(end);
            become(State.NAME);
        } else if (ListHeader.keeps(name)) {
            checkHeader();
        } else {
            passBy();
        }
        return end != ValueScanner.MORE;
    }

    /** The parts that are kept of a list besides its items are small; others are a failure. */
    private void checkHeader() {
        if (window.size() > LARGEST_HEADER) {
            throw tooLarge();
        }
    }

    UnexpectedAnswerException tooLarge() {
        return header.unexpected("more than " + (LARGEST_HEADER >> 10) + " KiB that are no items");
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

    private boolean item() {
        boolean complete = cut(wellFormed(scan()));
        if (complete) {
            become(State.BETWEEN);
        }
        return complete;
    }

    @Override
    boolean isKnown(int to) {
        return entries.isKnown(window.bytes, window.begin, to);
    }

    @Override
    boolean isWanted(int to) {
        return entries.isWanted(window.bytes, window.begin, to);
    }

    @Override
    ObjectEvent<T> unread(int to) {
        ObjectKey key = keyOfItem(to);
        Skim skim = entries.skim();
        checkMetadata(skim);
        return new ObjectEvent.Unreadable<>(key, skim.uid, skim.resourceVersion, false, Failures.tooLarge(type, key, largest));
    }

    @Override
    UnexpectedAnswerException endless(String came) {
        return header.unexpected(came + "item");
    }

    private int wellFormed(int end) {
        if (end == ValueScanner.BROKEN) {
            throw header.unexpected("something else than JSON");
        }
        return end;
    }
}
