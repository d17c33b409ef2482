package io.reactiveinformer.internal.readers;

import io.reactiveinformer.internal.codec.AbsentCollections;
import io.reactiveinformer.internal.codec.ReadOnlyCollections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An immutable list, as {@link ReadOnlyCollections} makes them. */
final class ListShape extends TreeShape {

    private final Shape ofElements;

    ListShape(Shape ofElements) {
        this.ofElements = ofElements;
    }

    @Override
    public Object ofNull(ShapeReader in) {
        return AbsentCollections.LIST;
    }

    @Override
    char opening() {
        return '[';
    }

    @Override
    Object bind(ShapeReader in, @Nullable Object before) {
        List<?> held = before instanceof List<?> list ? list : List.of();
        boolean same = true;
        int first = in.elementCount();
        if (in.enter(']')) {
            do {
                int index = in.elementCount() - first;
                Object elementBefore = index < held.size() ? held.get(index) : null;
                Object element = ofElements.read(in, elementBefore);
                same &= element == elementBefore;
                in.add(element);
            } while (in.next(']'));
        }
        return take(in, first, same ? held : null);
    }

    /** The list of the elements that were added since there were {@code first}; {@code held} if it has as many, the same ones. */
    static List<?> take(Elements in, int first, @Nullable List<?> held) {
        if (held != null && in.elementCount() - first == held.size() && ReadOnlyCollections.isReadOnly(held)) {
            in.drop(first);
            return held;
        }
        return ReadOnlyCollections.readOnly(in.take(first));
    }
}
