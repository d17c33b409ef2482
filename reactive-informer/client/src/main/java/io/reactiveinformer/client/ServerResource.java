package io.reactiveinformer.client;

import io.reactiveinformer.resource.ResourceType;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/**
 * One resource of one version, as the server lists it.
 *
 * @param singular lower case; may be empty
 * @param verbs the requests that the server takes, such as {@code list}
 */
record ServerResource(
        String group, String version, String plural, String singular, String kind, ResourceType.Scope scope, List<String> shortNames,
        List<String> verbs) {

    ResourceType<JsonNode> type() {
        return ResourceType.dynamic(group, version, plural).kind(kind, scope);
    }

    /** How well {@code name} names it, 0 best; negative if it does not. */
    int rank(String name) {
        if (plural.equals(name)) {
            return 0;
        }
        if (singular.equals(name) || kind.toLowerCase(Locale.ROOT).equals(name)) {
            return 1;
        }
        return shortNames.contains(name) ? 2 : -1;
    }
}
