package io.reactiveinformer.json;

import io.reactiveinformer.codec.ObjectWriter;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;

/** Where something is being written: fields that are null are left out. */
record Json(JsonGenerator generator, SerializationContext context) {

    void object(Runnable fields) {
        generator.writeStartObject();
        fields.run();
        generator.writeEndObject();
    }

    void objectOf(String name, Runnable fields) {
        generator.writeName(name);
        object(fields);
    }

    void arrayOf(String name, Runnable elements) {
        generator.writeName(name);
        generator.writeStartArray();
        elements.run();
        generator.writeEndArray();
    }

    /** As the mapper writes it. */
    void field(String name, @Nullable Object value) {
        if (value != null) {
            generator.writeName(name);
            context.writeValue(generator, value);
        }
    }

    /** By {@code toString}, which of times and durations is a standard's. */
    void textOf(String name, @Nullable Object value) {
        if (value != null) {
            generator.writeName(name);
            generator.writeString(value.toString());
        }
    }

    void text(String value) {
        generator.writeString(value);
    }

    void with(ObjectWriter writer, Object value) {
        writer.write(value, generator);
    }
}
