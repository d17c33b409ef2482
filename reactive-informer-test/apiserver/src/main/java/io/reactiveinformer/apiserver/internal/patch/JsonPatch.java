package io.reactiveinformer.apiserver.internal.patch;

import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON Patch.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6902">RFC 6902</a>
 */
public final class JsonPatch {

    private JsonPatch() {}

    /**
     * Applies the operations in order. Changes neither argument.
     *
     * @throws PatchException if an operation cannot be carried out; then none is
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
        JsonPointer path = pointer(operation, "path");
        JsonNode value = kind.equals("move") || kind.equals("copy") ? get(tree, pointer(operation, "from")).deepCopy()
                : operation.path("value");
        switch (kind) {
            case "add", "copy" -> { }
            case "remove", "replace" -> remove(tree, path, kind);
            case "move" -> remove(tree, pointer(operation, "from"), kind);
            case "test" -> {
                if (!get(tree, path).equals(value)) {
                    throw new PatchException("testing path " + path + " failed");
                }
            }
            default -> throw new PatchException("unknown operation \"" + kind + "\"");
        }
        return kind.equals("remove") || kind.equals("test") ? tree : add(tree, path, value);
    }

    private static JsonNode add(JsonNode tree, JsonPointer path, JsonNode value) {
        if (path.matches()) {
            return value;
        }
        JsonNode parent = get(tree, path.head());
        JsonPointer last = path.last();
        if (parent instanceof ObjectNode object) {
            object.set(last.getMatchingProperty(), value);
        } else if (parent instanceof ArrayNode array) {
            boolean end = last.getMatchingProperty().equals("-") || last.getMatchingIndex() == array.size();
            array.insert(end ? array.size() : index(array, last), value);
        } else {
            throw missing(path);
        }
        return tree;
    }

    private static void remove(JsonNode tree, JsonPointer path, String kind) {
        get(tree, path);
        if (path.matches()) {
            if (kind.equals("replace")) {
                return; // all of it, by what is added next
            }
            throw missing(path);
        }
        JsonNode parent = get(tree, path.head());
        if (parent instanceof ObjectNode object) {
            object.remove(path.last().getMatchingProperty());
        } else {
            ((ArrayNode) parent).remove(index(parent, path.last()));
        }
    }

    private static JsonNode get(JsonNode tree, JsonPointer path) {
        JsonNode found = tree.at(path);
        if (found.isMissingNode()) {
            throw missing(path);
        }
        return found;
    }

    private static int index(JsonNode array, JsonPointer last) {
        if (!array.has(last.getMatchingIndex())) {
            throw missing(last);
        }
        return last.getMatchingIndex();
    }

    private static PatchException missing(JsonPointer path) {
        return new PatchException("nothing at " + path);
    }

    private static JsonPointer pointer(JsonNode operation, String field) {
        String text = operation.path(field).asString("");
        return JsonPointer.compile(text.substring(Math.max(0, text.indexOf('/'))));
    }
}
