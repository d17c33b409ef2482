package io.reactiveinformer.internal.codec;

import io.reactiveinformer.resource.UnexpectedAnswerException;

/**
 * A list in protocol buffers: a {@code runtime.Unknown} with the kind, then the list itself, whose first field are its metadata, and whose
 * second fields are the items.
 */
final class MessageListBody<T> extends ListBody<T> {

    private static final int TYPE = Wire.tag(1, Wire.LENGTH);
    private static final int RAW = Wire.tag(2, Wire.LENGTH);
    private static final int METADATA = Wire.tag(1, Wire.LENGTH);
    private static final int ITEM = Wire.tag(2, Wire.LENGTH);

    private enum State {
        MAGIC, UNKNOWN, LIST, ITEM, END
    }

    private final Wire wire = new Wire();
    private final MessageBinding<T> binding;

    private State state = State.MAGIC;
    private boolean typed;
    /** The bytes of the list, or of the item, that were not used up. */
    private long leftOfList;
    private long leftOfItem;

    MessageListBody(EntryReader<T> entries, MessageBinding<T> binding, int largest) {
        super(entries, largest);
        this.binding = binding;
    }

    @Override
    boolean isOver() {
        return state == State.END;
    }

    /** A broken connection is a failure before. If the answer is complete, and the list is not, a length in it may be damaged. */
    @Override
    RuntimeException whyBrokenOff() {
        return new MalformedMessageException("a length in it exceeds the answer");
    }

    @Override
    boolean step() {
        return switch (state) {
            case MAGIC -> magic();
            case UNKNOWN -> field(Long.MAX_VALUE);
            case LIST -> leftOfList == 0 ? over() : field(leftOfList);
            case ITEM -> item();
            case END -> {
                window.consumeTo(window.end);
                yield false;
            }
        };
    }

    private boolean magic() {
        if (window.size() < Wire.MAGIC.length) {
            return false;
        }
        wire.over(window.bytes, window.begin, window.end);
        if (!wire.magic()) {
            throw header.unexpected(window.excerpt());
        }
        window.consumeTo(wire.at);
        state = State.UNKNOWN;
        return true;
    }

    private boolean over() {
        header.itemsCame();
        state = State.END;
        ready = header.end();
        return true;
    }

    /** Reads a field up to its value, if that is entered, else with it. */
    private boolean field(long left) {
        wire.over(window.bytes, window.begin, window.end);
        long length;
        int tag;
        try {
            tag = wire.tag();
            if (Wire.kind(tag) != Wire.LENGTH) {
                wire.skip(tag);
                return pass(left);
            }
            length = wire.varint();
        } catch (MalformedMessageException malformed) {
            if (window.size() < 2 * Wire.LONGEST_VARINT) {
                return false; // more may come
            }
            throw malformed();
        }
        int head = wire.at - window.begin;
        if (length < 0 || length > left - head) {
            throw malformed();
        }
        boolean isRaw = state == State.UNKNOWN && tag == RAW;
        if (isRaw && !typed) {
            throw header.unexpected("an object of no kind");
        }
        if (isRaw && !header.isStatus()) {
            window.consumeTo(wire.at);
            leftOfList = length;
            state = State.LIST;
            return true;
        }
        if (state == State.LIST && tag == ITEM) {
            window.consumeTo(wire.at);
            leftOfList -= head + length;
            leftOfItem = length;
            startValue();
            state = State.ITEM;
            return true;
        }
        if (length > LARGEST_HEADER) {
            throw tooLarge();
        }
        if (length > window.end - wire.at) {
            return false;
        }
        int from = wire.at;
        wire.over(window.bytes, from, from + (int) length);
        try {
            if (isRaw) {
                throw header.refusal(window.bytes, wire.at, wire.end);
            } else if (state == State.UNKNOWN && tag == TYPE) {
                type();
            } else if (state == State.LIST && tag == METADATA) {
                metadata();
            }
        } catch (MalformedMessageException malformed) {
            throw malformed();
        }
        wire.at = from + (int) length;
        return pass(left);
    }

    private boolean pass(long left) {
        int passed = wire.at - window.begin;
        if (passed > left) {
            throw malformed();
        }
        if (state == State.LIST) {
            leftOfList -= passed;
        }
        window.consumeTo(wire.at);
        return true;
    }

    private void type() {
        var type = RuntimeUnknown.Type.read(wire);
        header.type(type.apiVersion(), type.kind());
        typed = true;
        binding.setType(header.apiVersion(), header.itemKind());
    }

    private void metadata() {
        String resourceVersion = null;
        String continueToken = null;
        while (wire.hasMore()) {
            int tag = wire.tag();
            if (tag == Wire.tag(2, Wire.LENGTH)) {
                resourceVersion = wire.text();
            } else if (tag == Wire.tag(3, Wire.LENGTH)) {
                continueToken = wire.text();
            } else {
                wire.skip(tag);
            }
        }
        header.metadata(resourceVersion, continueToken);
    }

    private boolean item() {
        boolean complete = cut(scan());
        if (complete) {
            state = State.LIST;
        }
        return complete;
    }

    @Override
    int scan() {
        return window.size() >= leftOfItem ? window.begin + (int) leftOfItem : ValueScanner.MORE;
    }

    @Override
    void passBy() {
        leftOfItem -= window.size();
        super.passBy();
    }

    private UnexpectedAnswerException malformed() {
        return header.unexpected("something else than protocol buffers");
    }
}
