package io.reactiveinformer.codec;

import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An object that is made of its properties.
 *
 * @param <M> what it is while they are read
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
    final Object bind(ShapeReader in) {
        M begun = begin();
        if (in.enter('}')) {
            do {
                in.name();
                Property property = properties.find(in);
                if (property == null) {
                    in.ignore();
                } else {
                    set(begun, property.place, property.read(in));
                }
            } while (in.next('}'));
        }
        return end(begun);
    }

    abstract M begin();

    abstract void set(M begun, int place, @Nullable Object value);

    abstract Object end(M begun);

    /** What the constructor throws is for Jackson to tell, which calls it again. */
    static Object create(Constructor<?> constructor, @Nullable Object... arguments) {
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException | InstantiationException | IllegalAccessException toldByJackson) {
            throw new UnusualBytesException();
        }
    }

    /** Of a class from the generator: with a constructor without parameters, and fields that carry the names. */
    static final class OfFields extends ObjectShape<Object> {

        private final Constructor<?> constructor;
        private final VarHandle[] fields;
        private final EmptyCollections empties;

        /** @param fields by their places */
        OfFields(Constructor<?> constructor, Collection<VarHandle> fields, List<Property> properties) {
            super(properties);
            this.constructor = constructor;
            this.fields = fields.toArray(VarHandle[]::new);
            this.empties = new EmptyCollections(fields);
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

    /** A record, whose components are in the order of their places. */
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
