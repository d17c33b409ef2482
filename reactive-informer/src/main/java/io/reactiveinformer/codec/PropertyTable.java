package io.reactiveinformer.codec;

import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.bean.BeanDeserializer;

/** The properties of a class by the bytes of their names. */
final class PropertyTable {

    /** @param field where the value is kept; null where only Jackson can put it there */
    @SuppressWarnings("ArrayRecordComponent") // never compared, nor written to
    record Property(byte[] name, int hash, SettableBeanProperty jackson, @Nullable VarHandle field, Shape shape) {

        /** Its value, which begins here. */
        @Nullable Object read(ShapeReader in) {
            Object value = in.readWord(ShapeReader.NULL) ? null : shape.read(in);
            return value == null ? jackson.getNullValueProvider().getNullValue(in.context()) : value;
        }

        void set(ShapeReader in, Object object, @Nullable Object value) {
            if (field == null) {
                jackson.set(in.context(), object, value);
            } else {
                field.set(object, value);
            }
        }
    }

    private final @Nullable Property[] places;

    PropertyTable(BeanDeserializer bean, Function<ValueDeserializer<?>, Shape> shapes) {
        places = new @Nullable Property[Integer.highestOneBit(Math.max(bean.getPropertyCount(), 1)) * 4];
        Map<String, VarHandle> fields = SerializedNames.fields(bean.handledType());
        for (Iterator<SettableBeanProperty> all = bean.properties(); all.hasNext();) {
            SettableBeanProperty property = all.next();
            byte[] name = property.getName().getBytes(StandardCharsets.UTF_8);
            enter(new Property(name, ShapeReader.hash(name), property, fields.get(property.getName()), shapes.apply(property.getValueDeserializer())));
        }
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
