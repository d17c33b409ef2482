package io.reactiveinformer.dashboard;

import io.kubernetes.client.openapi.models.V1Secret;
import io.reactiveinformer.informer.Informer;
import tools.jackson.databind.JsonNode;

/**
 * Recognizes Secrets as they are cached by their model class or as trees: also their annotations may contain the data. The page receives
 * their names only. A tree without {@code kind}, such as an item of a list, is one if it has {@code data} and {@code type}.
 */
final class Secrets {

    private Secrets() {}

    static boolean areOf(Informer<?> informer) {
        return informer.description().matches("secrets(\\.v1)?([ ,].*)?");
    }

    static boolean isOne(Object object) {
        return object instanceof V1Secret || object instanceof JsonNode tree && (tree.hasNonNull("kind")
                ? tree.path("kind").asString("").equals("Secret") : tree.has("data") && tree.has("type"));
    }
}
