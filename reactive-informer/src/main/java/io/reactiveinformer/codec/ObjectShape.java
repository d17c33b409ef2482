package io.reactiveinformer.codec;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.bean.BeanDeserializer;

/** An object whose class has a constructor without parameters, or is a record. */
abstract class ObjectShape extends TreeShape {

    private final BeanDeserializer bean;
    private final Function<ValueDeserializer<?>, Shape> shapes;
    private volatile @Nullable PropertyTable properties;

    private ObjectShape(BeanDeserializer bean, Function<ValueDeserializer<?>, Shape> shapes) {
        super(bean);
        this.bean = bean;
        this.shapes = shapes;
    }

    /** @param shapes of what the properties hold; asked when the first object is read, since a class may hold objects of its own */
    static ObjectShape of(BeanDeserializer bean, Function<ValueDeserializer<?>, Shape> shapes) {
        return bean.getValueInstantiator().canCreateUsingDefault() ? new ByProperties(bean, shapes) : new ByComponents(bean, shapes);
    }

    @Override
    final char opening() {
        return '{';
    }

    /** Those that are there are given to {@code object}, one after the other. */
    final void readProperties(ShapeReader in, Object object) {
        PropertyTable known = properties();
        if (in.enter('}')) {
            do {
                in.name();
                PropertyTable.Property property = known.find(in);
                if (property == null) {
                    in.byJackson(null);
                } else {
                    set(in, object, property, property.read(in));
                }
            } while (in.next('}'));
        }
    }

    abstract void set(ShapeReader in, Object object, PropertyTable.Property property, @Nullable Object value);

    private PropertyTable properties() {
        PropertyTable known = properties;
        if (known == null) {
            known = new PropertyTable(bean, shapes);
            properties = known;
        }
        return known;
    }

    private static final class ByProperties extends ObjectShape {

        private final ValueInstantiator instantiator;

        ByProperties(BeanDeserializer bean, Function<ValueDeserializer<?>, Shape> shapes) {
            super(bean, shapes);
            this.instantiator = bean.getValueInstantiator();
        }

        @Override
        Object bind(ShapeReader in) {
            Object object = instantiator.createUsingDefault(in.context());
            readProperties(in, object);
            return object;
        }

        @Override
        void set(ShapeReader in, Object object, PropertyTable.Property property, @Nullable Object value) {
            property.set(in, object, value);
        }
    }

    private static final class ByComponents extends ObjectShape {

        private final ValueInstantiator instantiator;

        ByComponents(BeanDeserializer bean, Function<ValueDeserializer<?>, Shape> shapes) {
            super(bean, shapes);
            this.instantiator = bean.getValueInstantiator();
        }

        @Override
        Object bind(ShapeReader in) {
            SettableBeanProperty[] components = instantiator.getFromObjectArguments(in.context().getConfig());
            var values = new @Nullable Object[components.length];
            for (int i = 0; i < components.length; i++) {
                values[i] = components[i].getNullValueProvider().getAbsentValue(in.context());
            }
            readProperties(in, values);
            return instantiator.createFromObjectWith(in.context(), values);
        }

        @Override
        void set(ShapeReader in, Object object, PropertyTable.Property property, @Nullable Object value) {
            ((@Nullable Object[]) object)[property.jackson().getCreatorIndex()] = value;
        }
    }
}
