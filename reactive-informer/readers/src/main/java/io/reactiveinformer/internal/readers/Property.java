package io.reactiveinformer.internal.readers;

import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A property of a class. */
final class Property {

    final int hash;
    /** Its index among the properties of its class. */
    final int place;

    private final byte[] name;
    private final Supplier<Shape> make;
    private @Nullable Shape shape; // written by any thread: the same or an equivalent one, and never changed

    Property(String name, int place, Supplier<Shape> make) {
        this.name = name.getBytes(StandardCharsets.UTF_8);
        this.hash = ShapeReader.hash(this.name);
        this.place = place;
        this.make = make;
    }

    /** Whether the name that {@code in} read last is this property's. */
    boolean isNamed(ShapeReader in) {
        return hash == in.nameHash() && in.nameIs(name);
    }

    /** Reads its value, which begins here, as {@link Shape#read} does. */
    @Nullable Object read(ShapeReader in, @Nullable Object before) {
        Shape known = shape();
        Object value = in.readWord(ShapeReader.NULL) ? null : known.read(in, before);
        return value == null ? known.ofNull(in) : value;
    }

    private Shape shape() {
        Shape known = shape;
        if (known == null) {
            known = make.get();
            shape = known;
        }
        return known;
    }
}
