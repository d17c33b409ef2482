package io.reactiveinformer.apiserver.internal.schema;

import io.reactiveinformer.internal.protobuf.Messages;
import io.reactiveinformer.internal.protobuf.Messages.Count;
import io.reactiveinformer.internal.protobuf.Messages.Field;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;

/** The merge strategy of a value of a built-in type, from its field in the table of messages. */
record MessageTopology(Field field, boolean isAlwaysThere) implements Topology {

    static final String METADATA = "meta.k8s.io/v1.ObjectMeta";

    static Topology of(String message, boolean alwaysThere) {
        return new MessageTopology(new Field(0, "", Count.ONE, message, false, false, Map.of()), alwaysThere);
    }

    @Override
    public Topology field(String name) {
        if (field.count() == Count.MAP) {
            return of(field.type(), false);
        }
        Field inner = fields().get(name);
        return inner == null ? new SchemaTopology(MissingNode.getInstance(), false)
                : new MessageTopology(inner, !inner.pointer() && !inner.omitEmpty());
    }

    @Override
    public boolean hasField(String name) {
        return field.count() == Count.ONE && fields().containsKey(name);
    }

    private Map<String, Field> fields() {
        return Messages.builtIn().inJson(field.type());
    }

    @Override
    public Topology item() {
        return of(field.type(), false);
    }

    /** Also true of types without known fields, which have a JSON form of their own. */
    @Override
    public boolean isAtomic() {
        boolean ofItsType = field.count() == Count.ONE && (Messages.builtIn().isAtomic(field.type()) || fields().isEmpty());
        return isMarked("atomic") || ofItsType && !isMarked("granular");
    }

    @Override
    public List<String> keys() {
        return field.marks().getOrDefault("keys", List.of());
    }

    @Override
    public JsonNode defaultOf(String key) {
        Field inner = fields().get(key);
        List<String> text = inner == null ? null : inner.marks().get("default");
        return text == null ? MissingNode.getInstance() : JsonNodeFactory.instance.stringNode(text.get(0));
    }

    @Override
    public boolean isSet() {
        return isMarked("set");
    }

    @Override
    public boolean isMergedByPatches() {
        return isMarked("merge");
    }

    @Override
    public String patchMergeKey() {
        return String.join("", field.marks().getOrDefault("merge", List.of()));
    }

    @Override
    public boolean isReplacedByPatches() {
        return isMarked("replace");
    }

    private boolean isMarked(String mark) {
        return field.marks().containsKey(mark);
    }
}
