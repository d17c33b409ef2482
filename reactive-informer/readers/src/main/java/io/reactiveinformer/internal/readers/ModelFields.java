package io.reactiveinformer.internal.readers;

import io.reactiveinformer.internal.codec.EmptyCollections;
import io.reactiveinformer.internal.codec.PlainClasses;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Makes and fills objects of a class from the generator: with a constructor without parameters, and fields that carry their names. */
final class ModelFields {

    private final Constructor<?> constructor;
    private final VarHandle[] fields;
    private final EmptyCollections empties;
    private volatile @Nullable Object @Nullable [] absent; // written by any thread: all make an equal one, and it is never changed

    /** @param fields by their places */
    ModelFields(Class<?> type, Collection<VarHandle> fields) {
        this.constructor = PlainClasses.constructor(type);
        this.fields = fields.toArray(VarHandle[]::new);
        this.empties = new EmptyCollections(type, fields);
    }

    /** A new object without properties, which shares its empty collections. */
    Object begin() {
        try {
            Object begun = constructor.newInstance();
            empties.fill(begun);
            return begun;
        } catch (ReflectiveOperationException toldByJackson) { // which calls it again
            throw new ShapeReader.UnusualBytesException();
        }
    }

    @Nullable Object get(Object object, int place) {
        return fields[place].get(object);
    }

    void set(Object object, int place, @Nullable Object value) {
        fields[place].set(object, value);
    }

    /** Whether {@code before} is of this class, and the places of its properties fit into the bits of a long. */
    boolean canBeReadAlong(Object before) {
        return before.getClass() == constructor.getDeclaringClass() && fields.length <= Long.SIZE;
    }

    /** @param places of the properties to copy from {@code other}, a bit for each */
    Object copy(Object other, long places) {
        Object copy = begin();
        for (long left = places; left != 0; left &= left - 1) {
            VarHandle field = fields[Long.numberOfTrailingZeros(left)];
            field.set(copy, field.get(other));
        }
        return copy;
    }

    /** {@code object}, if its other properties are as in a new one; else a copy of the properties at {@code places}. */
    Object sameOrCopy(Object object, long places) {
        @Nullable Object[] absences = absences();
        for (int i = 0; i < fields.length; i++) {
            if ((places >>> i & 1) == 0 && !isSame(fields[i].get(object), absences[i])) {
                return copy(object, places);
            }
        }
        return object;
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
}
