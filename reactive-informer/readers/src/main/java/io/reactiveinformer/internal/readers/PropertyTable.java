package io.reactiveinformer.internal.readers;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The properties of a class by the bytes of their names. */
final class PropertyTable {

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

    /** The property whose value comes next; null if the class does not have it, and it is skipped. */
    @Nullable Property next(ShapeReader in) {
        in.name();
        Property property = find(in);
        if (property == null) {
            in.ignoreUnknown();
        }
        return property;
    }

    private @Nullable Property find(ShapeReader in) {
        for (int place = place(in.nameHash()); ; place = place + 1 & places.length - 1) {
            Property property = places[place];
            if (property == null || property.isNamed(in)) {
                return property;
            }
        }
    }

    private int place(int hash) {
        return (hash ^ hash >>> 7 ^ hash >>> 15) & places.length - 1;
    }
}
