package io.reactiveinformer.apiserver.internal.patch;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON patches, RFC 6902. */
public final class JsonPatch {

    private JsonPatch() {}

    /**
     * The result of applying {@code operations} to {@code target}, which is not changed.
     *
     * @throws PatchException if an operation is not possible, or a test fails; no operation is carried out then
     */
    public static JsonNode apply(JsonNode target, JsonNode operations) {
        if (!operations.isArray()) {
            throw new PatchException("a JSON patch is an array of operations");
        }
        JsonNode tree = target.deepCopy();
        for (JsonNode operation : operations) {
            tree = apply(tree, operation.path("op").asString(""), operation);
        }
        return tree;
    }

    private static JsonNode apply(JsonNode tree, String kind, JsonNode operation) {
        List<String> path = pointer(operation.path("path").asString(""));
        switch (kind) {
            case "add" -> {
                return add(tree, path, operation.path("value"));
            }
            case "remove" -> {
                remove(tree, path);
                return tree;
            }
            case "replace" -> {
                get(tree, path);
                if (path.isEmpty()) {
                    return operation.path("value");
                }
                remove(tree, path);
                return add(tree, path, operation.path("value"));
            }
            case "move", "copy" -> {
                List<String> from = pointer(operation.path("from").asString(""));
                JsonNode value = get(tree, from).deepCopy();
                if (kind.equals("move")) {
                    remove(tree, from);
                }
                return add(tree, path, value);
            }
            case "test" -> {
                if (!get(tree, path).equals(operation.path("value"))) {
                    throw new PatchException("testing path " + String.join("/", path) + " failed");
                }
                return tree;
            }
            default -> throw new PatchException("unknown operation \"" + kind + "\"");
        }
    }

    private static JsonNode add(JsonNode tree, List<String> path, JsonNode value) {
        if (path.isEmpty()) {
            return value;
        }
        String last = path.get(path.size() - 1);
        JsonNode parent = get(tree, path.subList(0, path.size() - 1));
        if (parent instanceof ObjectNode object) {
            object.set(last, value);
        } else if (parent instanceof ArrayNode array) {
            int index = last.equals("-") ? array.size() : index(last, array.size() + 1);
            array.insert(index, value);
        } else {
            throw missing(path);
        }
        return tree;
    }

    private static void remove(JsonNode tree, List<String> path) {
        get(tree, path);
        String last = path.get(path.size() - 1);
        JsonNode parent = get(tree, path.subList(0, path.size() - 1));
        if (parent instanceof ObjectNode object) {
            object.remove(last);
        } else {
            ((ArrayNode) parent).remove(index(last, parent.size()));
        }
    }

    private static JsonNode get(JsonNode tree, List<String> path) {
        JsonNode at = tree;
        for (String step : path) {
            JsonNode next = at.isArray() ? at.get(index(step, at.size())) : at.get(step);
            if (next == null) {
                throw missing(path);
            }
            at = next;
        }
        return at;
    }

    private static int index(String step, int size) {
        if (step.isEmpty() || !step.chars().allMatch(Character::isDigit) || step.length() > 9 || Integer.parseInt(step) >= size) {
            throw new PatchException("no item at " + step);
        }
        return Integer.parseInt(step);
    }

    private static PatchException missing(List<String> path) {
        return new PatchException("nothing at /" + String.join("/", path));
    }

    private static List<String> pointer(String text) {
        List<String> steps = new ArrayList<>();
        for (String step : text.split("/", -1)) {
            steps.add(step.replace("~1", "/").replace("~0", "~"));
        }
        return List.copyOf(steps.subList(1, steps.size()));
    }
}
