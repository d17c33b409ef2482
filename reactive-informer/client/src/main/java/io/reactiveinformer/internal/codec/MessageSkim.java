package io.reactiveinformer.internal.codec;

import io.reactiveinformer.internal.ResourceVersion;
import org.jspecify.annotations.Nullable;

/** Reads the same from protocol buffers: the metadata are the first field of each object, and these strings are among the first of it. */
final class MessageSkim extends Skim {

    private static final int METADATA = Wire.tag(1, Wire.LENGTH);
    private static final int NAME = Wire.tag(1, Wire.LENGTH);
    private static final int NAMESPACE = Wire.tag(3, Wire.LENGTH);
    private static final int UID = Wire.tag(5, Wire.LENGTH);
    private static final int RESOURCE_VERSION = Wire.tag(6, Wire.LENGTH);
    private static final int ANNOTATIONS = Wire.tag(12, Wire.LENGTH);
    private static final int VALUE = Wire.tag(2, Wire.LENGTH);

    private final Wire wire = new Wire();

    MessageSkim(SharedStrings strings) {
        super(strings);
    }

    @Override
    public void object(byte[] bytes, int from, int to) {
        read(bytes, from, to, false);
    }

    @Override
    void bookmark(byte[] bytes, int from, int to) {
        read(bytes, from, to, true);
    }

    /** They are not read, but stay where they are. */
    @Override
    int cutManagedFields(byte[] bytes, int from) {
        return from;
    }

    private void read(byte[] bytes, int from, int to, boolean bookmark) {
        clear();
        hasKind = true; // both are beside the object
        hasApiVersion = true;
        wire.over(bytes, from, to);
        try {
            while (wire.hasMore()) {
                int tag = wire.tag();
                if (tag == METADATA) {
                    int unused = wire.enterPart();
                    brokenOff = !metadata(bookmark) && wire.isCut;
                    return;
                }
                wire.skip(tag);
            }
        } catch (MalformedMessageException broken) {
            brokenOff = true;
        } finally {
            wire.release();
        }
    }

    /**
     * In the order of their numbers, as the server writes them, all is known after the version. It writes an empty namespace, too.
     *
     * @return whether nothing that may follow matters
     */
    private boolean metadata(boolean bookmark) {
        int came = 0;
        while (wire.hasMore()) {
            int tag = wire.tag();
            int its = tag == NAME || tag == NAMESPACE || tag == UID || tag == RESOURCE_VERSION ? 1 << Wire.number(tag) : 0;
            if ((came & its) != 0) {
                throw new MalformedMessageException("a field occurs twice");
            }
            came |= its;
            if (tag == NAME) {
                name = text();
            } else if (tag == NAMESPACE) {
                String text = text();
                namespace = text == null ? null : strings.share(text);
            } else if (tag == UID) {
                uid = text();
            } else if (tag == RESOURCE_VERSION) {
                String text = text();
                resourceVersion = text == null || text.length() > ResourceVersion.LONGEST ? null : text;
                if (!bookmark && (came & 1 << Wire.number(NAMESPACE)) != 0 && name != null && uid != null) {
                    return true;
                }
            } else if (bookmark && tag == ANNOTATIONS) {
                annotation();
            } else {
                wire.skip(tag);
            }
        }
        return false;
    }

    /** JSON has no empty ones. */
    private @Nullable String text() {
        String text = wire.text();
        return text.isEmpty() ? null : text;
    }

    private void annotation() {
        int outer = wire.enter();
        String key = "";
        String value = "";
        while (wire.hasMore()) {
            int tag = wire.tag();
            if (tag == NAME) {
                key = wire.text();
            } else if (tag == VALUE) {
                value = wire.text();
            } else {
                wire.skip(tag);
            }
        }
        wire.leave(outer);
        initialEventsEnd |= key.equals(INITIAL_EVENTS_END_NAME) && value.equals("true");
    }
}
