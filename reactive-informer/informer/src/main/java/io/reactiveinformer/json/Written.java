package io.reactiveinformer.json;

import java.util.function.BiConsumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdSerializer;

/** A serializer whose form is a function. */
final class Written<V> extends StdSerializer<V> {

    private final BiConsumer<V, Json> form;

    Written(Class<?> type, BiConsumer<V, Json> form) {
        super(type);
        this.form = form;
    }

    @Override
    public void serialize(V value, JsonGenerator generator, SerializationContext context) {
        form.accept(value, new Json(generator, context));
    }
}
