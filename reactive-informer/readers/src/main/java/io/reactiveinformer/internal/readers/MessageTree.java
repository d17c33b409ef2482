package io.reactiveinformer.internal.readers;

import io.reactiveinformer.internal.codec.SmallMap;
import io.reactiveinformer.internal.codec.Wire;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The shape of what protocol buffers contain as one run of bytes, and is shared as a whole: a message, the elements of a list or map. */
abstract class MessageTree extends SharedShape<MessageReader> {

    /** The elements of a list. The tag of the first has been read. */
    static final class OfList extends MessageTree {

        private final MessageValue element;

        OfList(MessageValue element) {
            this.element = element;
        }

        @Override
        Object bind(MessageReader in, @Nullable Object before) {
            List<?> held = before instanceof List<?> list ? list : List.of();
            boolean same = true;
            Elements elements = in.elements();
            int first = elements.elementCount();
            while (true) {
                int index = elements.elementCount() - first;
                Object elementBefore = index < held.size() ? held.get(index) : null;
                Object value = element.read(in, elementBefore);
                same &= value == elementBefore;
                elements.add(value);
                if (!in.hasMore()) {
                    break;
                }
                int unused = in.tag();
            }
            return ListShape.take(elements, first, same ? held : null);
        }
    }

    /** An object in JSON, which is a map. */
    static final class OfJson extends MessageTree {

        private final MapShape shape;

        OfJson(MapShape shape) {
            this.shape = shape;
        }

        @Override
        Object bind(MessageReader in, @Nullable Object before) {
            return in.jsonObject(shape, before);
        }
    }

    /** The entries of a map, each a message of a key and a value. The tag of the first has been read. */
    static final class OfMap extends MessageTree {

        static final int KEY = Wire.tag(1, Wire.LENGTH);
        static final int VALUE = 2;

        private final MessageValue value;

        OfMap(MessageValue value) {
            this.value = value;
        }

        @Override
        Object bind(MessageReader in, @Nullable Object before) {
            SmallMap<?, ?> held = before instanceof SmallMap<?, ?> small ? small : SmallMap.EMPTY;
            boolean same = true;
            Elements elements = in.elements();
            int first = elements.elementCount();
            while (true) {
                int index = (elements.elementCount() - first) / 2;
                boolean isHeld = index < held.size();
                Object keyBefore = isHeld ? held.key(index) : null;
                Object valueBefore = isHeld ? held.value(index) : null;
                Object key = "";
                Object read = value.absent();
                int outer = in.enter();
                while (in.hasMore()) {
                    int tag = in.tag();
                    if (tag == KEY) {
                        key = in.sharedText(keyBefore);
                    } else if (Wire.number(tag) == VALUE) {
                        value.check(tag);
                        read = value.read(in, valueBefore);
                    } else {
                        in.skip(tag);
                    }
                }
                in.leave(outer);
                elements.add(key);
                elements.add(read);
                same &= key == keyBefore && read == valueBefore;
                if (!in.hasMore()) {
                    break;
                }
                int unused = in.tag();
            }
            Map<?, ?> map = MapShape.take(elements, first, same ? held : null);
            return map;
        }
    }
}
