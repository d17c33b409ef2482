package io.reactiveinformer.dashboard;

import io.kubernetes.client.openapi.models.V1Secret;
import io.reactiveinformer.informer.Informer;
import tools.jackson.databind.JsonNode;

/** Recognizes Secrets, in any form: also their annotations may contain the data. The page receives their names only. */
final class Secrets {

    private Secrets() {}

    static boolean areOf(Informer<?> informer) {
        return informer.description().matches("secrets(\\.v1)?([ ,].*)?");
    }

    static boolean isOne(Object object) {
        return object instanceof V1Secret || object instanceof JsonNode tree && tree.path("kind").asString("").equals("Secret");
    }
}
