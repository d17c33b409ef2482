package io.reactiveinformer.test.junit;

import io.reactiveinformer.test.FakeApiServer;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/** A field for a server; {@code instance} is null for a static one. */
record ServerField(Field field, @Nullable Object instance) {

    boolean isStatic() {
        return instance == null;
    }

    @Nullable FakeApiServer get() {
        try {
            return (FakeApiServer) field.get(instance);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(field + " was made accessible before", impossible);
        }
    }

    void set(@Nullable FakeApiServer server) {
        try {
            field.set(instance, server);
        } catch (IllegalAccessException failure) {
            throw new IllegalStateException(field + " cannot be written", failure);
        }
    }
}
