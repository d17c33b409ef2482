package io.reactiveinformer.internal.readers;

import io.reactiveinformer.internal.codec.ClassReaders;
import io.reactiveinformer.internal.codec.SharedScalars;
import io.reactiveinformer.internal.codec.SharedStrings;
import io.reactiveinformer.internal.codec.Skim;
import io.reactiveinformer.internal.readers.MessageReader.MessageRoot;
import io.reactiveinformer.resource.ResourceType;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The readers of a codec: from JSON by shapes, from protocol buffers by messages. Both share the same trees. */
final class OwnReaders implements ClassReaders {

    private final SharedStrings strings;
    private final SharedScalars scalars;
    private final Supplier<JsonMapper> mapper;
    private final SharedTrees trees = SharedTrees.create();
    private final Shapes shapes;
    private final MessageShapes messages;

    private OwnReaders(SharedStrings strings, SharedScalars scalars, Supplier<JsonMapper> mapper, boolean managedFields) {
        this.strings = strings;
        this.scalars = scalars;
        this.mapper = mapper;
        this.shapes = new Shapes(mapper, scalars);
        this.messages = new MessageShapes(mapper, shapes.any().maps(), managedFields);
    }

    @Override
    public @Nullable ClassReader json(Class<?> type) {
        TreeShape root = shapes.root(type);
        return root == null ? null : (skim, shares) -> {
            var reader = new ShapeReader(strings, treesIf(shares), skim, mapper);
            return (bytes, from, to, apiVersion, kind, before) -> reader.read(root, bytes, from, to, before);
        };
    }

    @Override
    public @Nullable ClassReader protobuf(ResourceType<?> type) {
        MessageRoot root = messages.root(type);
        return root == null ? null : (skim, shares) -> {
            var reader = messages(skim, shares);
            return (bytes, from, to, apiVersion, kind, before) -> reader.read(root, bytes, from, to, apiVersion, kind, before);
        };
    }

    private MessageReader messages(Skim skim, boolean shares) {
        return new MessageReader(strings, scalars, treesIf(shares), skim, mapper);
    }

    private @Nullable SharedTrees treesIf(boolean shares) {
        return shares ? trees : null;
    }

    /** Found by {@link java.util.ServiceLoader}. */
    public static final class Provider implements ClassReaders.Provider {

        /** For {@link java.util.ServiceLoader}. */
        public Provider() {}

        @Override
        public ClassReaders create(SharedStrings strings, SharedScalars scalars, Supplier<JsonMapper> mapper, boolean managedFields) {
            return new OwnReaders(strings, scalars, mapper, managedFields);
        }
    }
}
