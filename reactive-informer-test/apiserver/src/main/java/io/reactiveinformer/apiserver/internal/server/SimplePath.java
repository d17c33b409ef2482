package io.reactiveinformer.apiserver.internal.server;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** The JSONPaths that printer columns use in practice: fields, indexes, and one filter by equality. */
final class SimplePath {

    private SimplePath() {}

    /** @return a missing node if there is nothing */
    static JsonNode find(JsonNode tree, String path) {
        JsonNode at = tree;
        for (String step : path.split("\\.(?![^\\[]*\\])", -1)) {
            if (step.isEmpty()) {
                continue;
            }
            int bracket = step.indexOf('[');
            at = at.path(bracket < 0 ? step : step.substring(0, bracket));
            if (bracket >= 0) {
                at = item(at, step.substring(bracket + 1, step.length() - 1));
            }
        }
        return at;
    }

    private static JsonNode item(JsonNode array, String which) {
        if (!which.startsWith("?(@.")) {
            return which.chars().allMatch(Character::isDigit) ? array.path(Integer.parseInt(which)) : MissingNode.getInstance();
        }
        String[] pair = which.substring(4, which.length() - 1).split("==", 2);
        String wanted = pair[1].trim().replaceAll("^[\"']|[\"']$", "");
        return array.valueStream().filter(candidate -> candidate.path(pair[0].trim()).asString("").equals(wanted)).findFirst()
                .orElse(MissingNode.getInstance());
    }
}
