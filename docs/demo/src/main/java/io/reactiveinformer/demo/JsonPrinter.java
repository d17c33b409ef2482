package io.reactiveinformer.demo;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.InformerStatus;
import java.io.StringWriter;
import java.time.Duration;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Prints one JSON object a line, for scripts. Names, order and presence of the fields never change, so they are written by hand. */
final class JsonPrinter implements Printer {

    private final JsonFactory json = new JsonFactory();
    private final Lines out;

    JsonPrinter(Lines out) {
        this.out = out;
    }

    @Override
    public void change(Change<ObjectKey, ?> change) {
        print(line -> change.match(
                added -> object(line, "ADDED", added.key(), added.entry(), added.entry().resourceVersion(), added.initial(), false),
                updated -> object(
                        line, "UPDATED", updated.key(), updated.entryAfter(), updated.entryAfter().resourceVersion(), false, false),
                deleted -> object(line, "DELETED", deleted.key(), deleted.entry(), deleted.deletedAt(), false,
                        deleted.cause() != DeletionCause.OBSERVED),
                synced -> line.writeStringProperty("type", "SYNCED")
                        .writeStringProperty("resourceVersion", synced.resourceVersion())
                        .writeNumberProperty("count", synced.count())));
    }

    @Override
    public void status(InformerStatus status) {
        Throwable cause = status.cause();
        Duration retryIn = status.retryIn();
        print(line -> {
            line.writeStringProperty("type", "STATUS")
                    .writeStringProperty("state", status.state().name())
                    .writeStringProperty("cause", cause == null ? null : cause.getMessage())
                    .writeNumberProperty("attempt", status.attempt());
            if (retryIn == null) {
                line.writeNullProperty("retryInMs");
            } else {
                line.writeNumberProperty("retryInMs", retryIn.toMillis());
            }
        });
    }

    @Override
    public void snapshot(@Nullable String resourceVersion, SortedMap<ObjectKey, ? extends Versioned<?>> objects) {
        print(line -> {
            line.writeStringProperty("type", "SNAPSHOT")
                    .writeStringProperty("resourceVersion", resourceVersion)
                    .writeArrayPropertyStart("objects");
            objects.forEach((key, entry) -> {
                line.writeStartObject();
                identity(line, key, entry, entry.resourceVersion()).writeEndObject();
            });
            line.writeEndArray();
        });
    }

    private static JsonGenerator object(JsonGenerator line, String type, ObjectKey key, Versioned<?> entry,
            @Nullable String resourceVersion,
            boolean initial, boolean inferred) {
        return identity(line.writeStringProperty("type", type), key, entry, resourceVersion)
                .writeBooleanProperty("initial", initial)
                .writeBooleanProperty("inferred", inferred);
    }

    private static JsonGenerator identity(JsonGenerator line, ObjectKey key, Versioned<?> entry, @Nullable String resourceVersion) {
        return line.writeStringProperty("namespace", key.namespace())
                .writeStringProperty("name", key.name())
                .writeStringProperty("uid", entry.uid())
                .writeStringProperty("resourceVersion", resourceVersion);
    }

    private void print(Consumer<JsonGenerator> fields) {
        var text = new StringWriter();
        try (JsonGenerator line = json.createGenerator(ObjectWriteContext.empty(), text)) {
            line.writeStartObject();
            fields.accept(line);
            line.writeEndObject();
        }
        out.print(text.toString());
    }
}
