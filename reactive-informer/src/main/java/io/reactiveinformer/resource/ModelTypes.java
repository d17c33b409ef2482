package io.reactiveinformer.resource;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where the model classes of {@code client-java-api} live on the server. */
final class ModelTypes {

    record Entry(String group, String version, String plural, String kind, ResourceType.Reach reach) {}

    private ModelTypes() {}

    @SuppressWarnings("DoNotCallSuggester") // not built yet
    static Entry entry(Class<?> modelClass) {
        throw new IllegalArgumentException("no resource is known for " + modelClass.getName());
    }

    static Optional<ResourceType<?>> find(String group, @Nullable String version, String plural) {
        return Optional.empty();
    }
}
