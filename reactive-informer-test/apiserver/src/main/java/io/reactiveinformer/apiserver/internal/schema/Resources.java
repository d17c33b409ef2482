package io.reactiveinformer.apiserver.internal.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The tables of this server: files beside the classes that read them. */
public final class Resources {

    private Resources() {}

    /** The text of the file beside the class. */
    public static String text(Class<?> reader, String name) {
        try (InputStream stream = reader.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException(name + " is missing beside " + reader.getName() + "; is the jar complete?");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read " + name, failure);
        }
    }
}
