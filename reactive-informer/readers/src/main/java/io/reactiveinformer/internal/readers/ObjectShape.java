package io.reactiveinformer.internal.readers;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An object of a class from the generator, which is made from its properties. */
final class ObjectShape extends TreeShape {

    private final ModelFields fields;
    private final PropertyTable properties;

    ObjectShape(ModelFields fields, List<Property> properties) {
        this.fields = fields;
        this.properties = new PropertyTable(properties);
    }

    @Override
    char opening() {
        return '{';
    }

    /**
     * Reads along the cached state, if there is one of this class, and makes an object only where something differs from it. The object at
     * the root is made in any case: the same instance twice would be taken for a repeated notification.
     */
    @Override
    Object bind(ShapeReader in, @Nullable Object before) {
        Object along = before != null && fields.canBeReadAlong(before) ? before : null;
        Object begun = along == null || in.isAtRoot() ? fields.begin() : null;
        long seen = 0;
        if (in.enter('}')) {
            do {
                Property property = properties.next(in);
                if (property != null) {
                    Object valueBefore = along == null ? null : fields.get(along, property.place);
                    Object value = property.read(in, valueBefore);
                    if (begun == null && value != valueBefore) {
                        begun = fields.copy(Objects.requireNonNull(along), seen);
                    }
                    if (begun != null) {
                        fields.set(begun, property.place, value);
                    }
                    seen |= 1L << property.place;
                }
            } while (in.next('}'));
        }
        return begun != null ? begun : fields.sameOrCopy(Objects.requireNonNull(along), seen);
    }
}
