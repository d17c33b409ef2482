package io.reactiveinformer.internal.readers;

import org.jspecify.annotations.Nullable;

/** Any value, of a property that is an {@link Object}, such as managed fields. Its objects are maps. */
final class AnyShape implements Shape {

    private final Shape ofStrings;
    private final Shape ofOthers;
    private final MapShape maps = new MapShape(this);
    private final ListShape lists = new ListShape(this);

    AnyShape(Shape ofStrings, Shape ofOthers) {
        this.ofStrings = ofStrings;
        this.ofOthers = ofOthers;
    }

    MapShape maps() {
        return maps;
    }

    @Override
    public @Nullable Object read(ShapeReader in, @Nullable Object before) {
        Shape shape = in.isAt('{') ? maps : in.isAt('[') ? lists : in.isAt('"') ? ofStrings : ofOthers;
        return shape.read(in, before);
    }

    @Override
    public @Nullable Object ofNull(ShapeReader in) {
        in.meetUnknown(); // a null that is a value, such as a default: it is not written again
        return null;
    }
}
