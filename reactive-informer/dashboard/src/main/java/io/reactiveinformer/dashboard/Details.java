package io.reactiveinformer.dashboard;

import io.reactiveinformer.resource.ObjectKey;
import java.util.LinkedHashMap;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** One object as YAML: as it is cached, without what only servers and tools read. Of a Secret only its name. */
final class Details {

    /** Written by {@code kubectl apply}: the object once more. */
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private static final DumpSettings BLOCKS = DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).build();

    private Details() {}

    static String of(Table table, ObjectKey key, Object object) {
        if (Secrets.areOf(table.informer()) || Secrets.isOne(object)) {
            Map<String, Object> metadata = new LinkedHashMap<>();
            metadata.put("name", key.name());
            if (key.namespace() != null) {
                metadata.put("namespace", key.namespace());
            }
            return yaml(Map.of("metadata", metadata)) + "# The content of a Secret is not shown.\n";
        }
        JsonNode tree = Tables.tree(object);
        if (tree.isMissingNode()) {
            return "# An object of " + object.getClass().getName() + " cannot be written as YAML.\n";
        }
        JsonNode copy = tree.deepCopy();
        if (copy.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
            if (metadata.path("annotations") instanceof ObjectNode annotations) {
                annotations.remove(LAST_APPLIED);
            }
        }
        return yaml(JsonMapper.shared().convertValue(copy, Object.class));
    }

    private static String yaml(Object value) {
        return new Dump(BLOCKS).dumpToString(value);
    }
}
