package io.reactiveinformer.json;

import io.reactiveinformer.internal.codec.ObjectWriter;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;

/** The output of a serializer, with methods that omit fields whose value is null. */
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

    /** Writes the field as the mapper writes its value. */
    void field(String name, @Nullable Object value) {
        if (value != null) {
            generator.writeName(name);
            context.writeValue(generator, value);
        }
    }

    /** Writes {@code toString} of the value: for times and durations that is the form of RFC 3339 and ISO 8601. */
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
