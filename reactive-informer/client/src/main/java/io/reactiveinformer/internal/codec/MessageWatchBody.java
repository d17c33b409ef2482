package io.reactiveinformer.internal.codec;

import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnexpectedAnswerException;

/** A watch in protocol buffers: each event is preceded by its length in four bytes, and has its object as a {@code runtime.Unknown}. */
final class MessageWatchBody<T> extends WatchBody<T> {

    private static final int TYPE = Wire.tag(1, Wire.LENGTH);
    private static final int OBJECT = Wire.tag(2, Wire.LENGTH);
    private static final int RAW_OF_OBJECT = Wire.tag(1, Wire.LENGTH);

    private final Wire wire = new Wire();
    private final MessageBinding<T> binding;

    private boolean inEvent;
    /** The bytes of the event that were not used up. */
    private int left;
    private int unknownFrom;
    private int unknownTo;

    MessageWatchBody(EntryReader<T> entries, MessageBinding<T> binding, String attempted, int largest) {
        super(entries, attempted, largest);
        this.binding = binding;
    }

    @Override
    boolean step() {
        if (inEvent) {
            boolean complete = cut(scan());
            inEvent = !complete;
            return complete;
        }
        if (window.size() < Integer.BYTES) {
            return false;
        }
        left = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            left = left << Byte.SIZE | window.bytes[window.begin + i] & 0xFF;
        }
        if (left < 0 || left > mostForNothing()) {
            throw new UnexpectedAnswerException("expected events of " + type + ", but something else than protocol buffers came");
        }
        window.consumeTo(window.begin + Integer.BYTES);
        startValue();
        inEvent = true;
        return true;
    }

    /** As for a list, a length may be damaged: events after it would be waited for in vain. */
    @Override
    void end() {
        if (inEvent || window.size() > 0) {
            throw new TransportException("the watch of " + type + " broke off within an event",
                    new MalformedMessageException("a length in it exceeds the answer"));
        }
    }

    @Override
    int scan() {
        return window.size() >= left ? window.begin + left : ValueScanner.MORE;
    }

    @Override
    void passBy() {
        left -= window.size();
        super.passBy();
    }

    @Override
    ObjectEvent<T> noEvent(int to) {
        return broken("protocol buffer");
    }

    @Override
    Status status() {
        return StatusReader.ofEvent(window.bytes, unknownFrom, unknownTo);
    }

    @Override
    void failIfRefused(int from, int to) {
        super.failIfRefused(unknownFrom, unknownTo);
    }

    @Override
    boolean findObject(int to) {
        eventType = "";
        objectFrom = to;
        objectTo = to;
        unknownFrom = to;
        unknownTo = to;
        wire.over(window.bytes, window.begin, to);
        try {
            while (wire.hasMore()) {
                int tag = wire.tag();
                if (tag == TYPE) {
                    eventType = wire.text();
                } else if (tag == OBJECT) {
                    int outer = wire.enterPart();
                    object();
                    wire.leave(outer);
                } else {
                    wire.skip(tag);
                }
            }
        } catch (MalformedMessageException broken) {
            return false;
        }
        boolean isComplete = to == window.begin + left;
        return !eventType.isEmpty() && !(isComplete && wire.isCut);
    }

    private void object() {
        while (wire.hasMore()) {
            int tag = wire.tag();
            if (tag == RAW_OF_OBJECT) {
                int outer = wire.enterPart();
                unknownFrom = wire.at;
                unknownTo = wire.end;
                unknown();
                wire.leave(outer);
            } else {
                wire.skip(tag);
            }
        }
    }

    private void unknown() {
        var unknown = new RuntimeUnknown(wire);
        binding.setType(unknown.apiVersion, unknown.kind);
        objectFrom = unknown.from;
        objectTo = unknown.to;
    }
}
