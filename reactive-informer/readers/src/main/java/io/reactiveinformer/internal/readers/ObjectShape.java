package io.reactiveinformer.internal.readers;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An object that is made from its properties.
 *
 * @param <M> the type of the object while its properties are read
 */
abstract class ObjectShape<M> extends TreeShape {

    private final PropertyTable properties;

    ObjectShape(List<Property> properties) {
        this.properties = new PropertyTable(properties);
    }

    @Override
    final char opening() {
        return '{';
    }

    @Override
    Object bind(ShapeReader in, @Nullable Object before) {
        M begun = begin();
        if (in.enter('}')) {
            do {
                Property property = property(in);
                if (property != null) {
                    set(begun, property.place, property.read(in, null));
                }
            } while (in.next('}'));
        }
        return end(begun);
    }

    /** The property whose value comes next; null if the class does not have it, and it is skipped. */
    final @Nullable Property property(ShapeReader in) {
        in.name();
        Property property = properties.find(in);
        if (property == null) {
            in.ignoreUnknown();
        }
        return property;
    }

    abstract M begin();

    abstract void set(M begun, int place, @Nullable Object value);

    abstract Object end(M begun);

    /** A failure of the constructor is left to Jackson, which calls it again and reports it. */
    static Object create(Constructor<?> constructor, @Nullable Object... arguments) {
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException | InstantiationException | IllegalAccessException toldByJackson) {
            throw new UnusualBytesException();
        }
    }

    /** A class from the generator: with a constructor without parameters, and fields that are annotated with their names. */
    static final class OfFields extends ObjectShape<Object> {

        private final ModelFields fields;

        OfFields(ModelFields fields, List<Property> properties) {
            super(properties);
            this.fields = fields;
        }

        @Override
        Object bind(ShapeReader in, @Nullable Object before) {
            return before == null || !fields.canBeReadAlong(before) ? super.bind(in, null) : bindAlong(in, before);
        }

        /**
         * Reads along the cached state, and makes an object only where something differs from it. The object at the root is made in any
         * case: the same instance twice would be taken for a repeated notification.
         */
        private Object bindAlong(ShapeReader in, Object before) {
            Object begun = in.isAtRoot() ? begin() : null;
            long seen = 0;
            if (in.enter('}')) {
                do {
                    Property property = property(in);
                    if (property != null) {
                        Object valueBefore = fields.get(before, property.place);
                        Object value = property.read(in, valueBefore);
                        if (begun == null && value != valueBefore) {
                            begun = fields.copy(before, seen);
                        }
                        if (begun != null) {
                            fields.set(begun, property.place, value);
                        }
                        seen |= 1L << property.place;
                    }
                } while (in.next('}'));
            }
            return begun != null ? begun : fields.hasNothingBut(before, seen) ? before : fields.copy(before, seen);
        }

        @Override
        Object begin() {
            return fields.begin();
        }

        @Override
        void set(Object begun, int place, @Nullable Object value) {
            fields.set(begun, place, value);
        }

        @Override
        Object end(Object begun) {
            return begun;
        }
    }

    /** A record; its components are in the order of their places. */
    static final class OfComponents extends ObjectShape<@Nullable Object[]> {

        private final Constructor<?> constructor;

        OfComponents(Constructor<?> constructor, List<Property> properties) {
            super(properties);
            this.constructor = constructor;
        }

        @Override
        @Nullable Object[] begin() {
            return new @Nullable Object[constructor.getParameterCount()];
        }

        @Override
        void set(@Nullable Object[] begun, int place, @Nullable Object value) {
            begun[place] = value;
        }

        @Override
        Object end(@Nullable Object[] begun) {
            return create(constructor, begun);
        }
    }
}
