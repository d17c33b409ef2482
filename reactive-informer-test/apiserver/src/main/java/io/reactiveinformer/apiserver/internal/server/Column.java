package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import java.time.Instant;
import java.util.function.BiFunction;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * One column of a table, and how its cells are filled.
 *
 * @param priority 0 if the column is always shown, 1 for {@code -o wide}
 */
record Column(
        String name, String type, String format, String description, int priority, BiFunction<JsonNode, Instant, JsonNode> cell) {

    static final String NAME_TEXT =
            "Name must be unique within a namespace. Is required when creating resources, although some resources may allow"
            + " a client to request the generation of an appropriate name automatically. Name is primarily intended for creation "
            + "idempotence and configuration definition. Cannot be updated. More info:"
            + " https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names";
    static final String CREATION_TEXT =
            "CreationTimestamp is a timestamp representing the server time when this object was created. It is not"
            + " guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented"
            + " in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info:"
            + " https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

    static Column named() {
        return new Column("Name", "string", "name", NAME_TEXT, 0, (tree, now) -> string(Json.text(tree, "metadata", "name")));
    }

    static Column age() {
        return new Column(
                "Age", "string", "", CREATION_TEXT, 0, (tree, now) ->
                        string(Ages.since(Json.text(tree, "metadata", "creationTimestamp"), now)));
    }

    static Column createdAt() {
        return new Column(
                "Created At", "date", "", CREATION_TEXT, 0, (tree, now) -> string(Json.text(tree, "metadata", "creationTimestamp")));
    }

    static Column text(String name, Function<JsonNode, String> cell) {
        return new Column(name, "string", "", name, 0, (tree, now) -> string(cell.apply(tree)));
    }

    Column wide() {
        return new Column(name, type, format, description, 1, cell);
    }

    static JsonNode string(String text) {
        return JsonNodeFactory.instance.stringNode(text);
    }
}
