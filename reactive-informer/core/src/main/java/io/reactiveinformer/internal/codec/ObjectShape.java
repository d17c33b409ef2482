package io.reactiveinformer.internal.codec;

import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Collection;
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
            in.ignore();
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

        private final Constructor<?> constructor;
        private final VarHandle[] fields;
        private final EmptyCollections empties;
        private volatile @Nullable Object @Nullable [] absent; // written by any thread: all make an equal one, and it is never changed

        /** @param fields by their places */
        OfFields(Constructor<?> constructor, Collection<VarHandle> fields, List<Property> properties) {
            super(properties);
            this.constructor = constructor;
            this.fields = fields.toArray(VarHandle[]::new);
            this.empties = new EmptyCollections(fields);
        }

        @Override
        Object bind(ShapeReader in, @Nullable Object before) {
            return before == null || before.getClass() != constructor.getDeclaringClass()
                    || fields.length > Long.SIZE ? super.bind(in, null)
                    : bindAlong(in, before);
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
                        VarHandle field = fields[property.place];
                        Object valueBefore = field.get(before);
                        Object value = property.read(in, valueBefore);
                        if (begun == null && value != valueBefore) {
                            begun = copy(before, seen);
                        }
                        if (begun != null) {
                            field.set(begun, value);
                        }
                        seen |= 1L << property.place;
                    }
                } while (in.next('}'));
            }
            return begun != null ? begun : hasNothingBut(before, seen) ? before : copy(before, seen);
        }

        /** @param places of the properties to copy from {@code other}, a bit for each */
        private Object copy(Object other, long places) {
            Object copy = begin();
            for (long left = places; left != 0; left &= left - 1) {
                VarHandle field = fields[Long.numberOfTrailingZeros(left)];
                field.set(copy, field.get(other));
            }
            return copy;
        }

        private boolean hasNothingBut(Object object, long places) {
            @Nullable Object[] absences = absences();
            for (int i = 0; i < fields.length; i++) {
                if ((places >>> i & 1) == 0 && !isSame(fields[i].get(object), absences[i])) {
                    return false;
                }
            }
            return true;
        }

        /** Whether no difference is visible: with a default of another class, values that are equal by its {@code equals} may differ. */
        private static boolean isSame(@Nullable Object value, @Nullable Object other) {
            return value == other || (value instanceof String || value instanceof Number || value instanceof Boolean)
                    && value.equals(other);
        }

        /** The values of properties that the bytes do not contain. */
        private @Nullable Object[] absences() {
            @Nullable Object[] known = absent;
            if (known == null) {
                Object empty = begin();
                known = Arrays.stream(fields).map(field -> field.get(empty)).toArray();
                absent = known;
            }
            return known;
        }

        @Override
        Object begin() {
            Object begun = create(constructor);
            empties.fill(begun);
            return begun;
        }

        @Override
        void set(Object begun, int place, @Nullable Object value) {
            fields[place].set(begun, value);
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
