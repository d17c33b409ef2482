package io.reactiveinformer.codec;

import java.util.List;

/** A list that nobody can change, as {@link ReadOnlyCollections} has them. */
final class ListShape extends TreeShape {

    private final Shape ofElements;

    ListShape(Shape ofElements) {
        this.ofElements = ofElements;
    }

    @Override
    public Object ofNull(ShapeReader in) {
        return List.of();
    }

    @Override
    char opening() {
        return '[';
    }

    @Override
    Object bind(ShapeReader in) {
        int count = in.elementCount();
        if (in.enter(']')) {
            do {
                in.add(ofElements.read(in));
            } while (in.next(']'));
        }
        return ReadOnlyCollections.readOnly(in.take(count));
    }
}
