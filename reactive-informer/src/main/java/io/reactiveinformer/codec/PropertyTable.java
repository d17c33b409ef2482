package io.reactiveinformer.codec;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The properties of a class by the bytes of their names. */
final class PropertyTable {

    /** @param place of the property among those of its class */
    @SuppressWarnings("ArrayRecordComponent") // never compared, nor written to
    record Property(byte[] name, int hash, int place, Shape shape) {

        static Property of(String name, int place, Shape shape) {
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            return new Property(bytes, ShapeReader.hash(bytes), place, shape);
        }

        /** Its value, which begins here. */
        @Nullable Object read(ShapeReader in) {
            Object value = in.readWord(ShapeReader.NULL) ? null : shape.read(in);
            return value == null ? shape.ofNull(in) : value;
        }
    }

    private final @Nullable Property[] places;

    PropertyTable(List<Property> properties) {
        places = new @Nullable Property[Integer.highestOneBit(Math.max(properties.size(), 1)) * 4];
        properties.forEach(this::enter);
    }

    private void enter(Property property) {
        int place = place(property.hash);
        while (places[place] != null) {
            place = place + 1 & places.length - 1;
        }
        places[place] = property;
    }

    /** The one whose name {@code in} read last; null if there is none of that name. */
    @Nullable Property find(ShapeReader in) {
        int hash = in.nameHash();
        for (int place = place(hash); ; place = place + 1 & places.length - 1) {
            Property property = places[place];
            if (property == null || property.hash == hash && in.nameIs(property.name)) {
                return property;
            }
        }
    }

    private int place(int hash) {
        return (hash ^ hash >>> 7 ^ hash >>> 15) & places.length - 1;
    }
}
