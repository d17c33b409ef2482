package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import io.reactiveinformer.apiserver.internal.schema.GoForm;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Rows of a table, as {@code kubectl get} shows. The definitions of the columns come with the list, or with the first event. */
final class TableForm implements Representation {

    private final ResourceDefinition type;
    private final String version;
    private final String includeObject;
    private final List<Columns.Column> columns;
    private final Supplier<Instant> clock;
    private boolean columnsShown;

    TableForm(ResourceDefinition type, String version, String includeObject, Supplier<Instant> clock) {
        this.type = type;
        this.version = version;
        this.includeObject = includeObject;
        this.columns = Columns.of(type, version);
        this.clock = clock;
    }

    @Override
    public List<byte[]> single(StoredObject object) {
        return List.of(Json.write(table(object.version(), object.tree(type, version))));
    }

    @Override
    public byte[] listStart(ListHead list) {
        return Json.utf8("{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":" + FullForm.metadata(list)
                + ",\"columnDefinitions\":" + definitions() + ",\"rows\":[");
    }

    @Override
    public List<byte[]> item(StoredObject object) {
        return List.of(Json.write(row(object.tree(type, version))));
    }

    @Override
    public byte[] bookmarkObject(long version, boolean initialEventsEnd) {
        ObjectNode zero = GoForm.zero(type.apiVersion(this.version), type.kind());
        zero.set("metadata", FullForm.bookmarkMetadata(version, initialEventsEnd));
        return Json.write(table(version, zero));
    }

    private ObjectNode table(long resourceVersion, ObjectNode tree) {
        ObjectNode table = Json.object().put("kind", "Table").put("apiVersion", "meta.k8s.io/v1");
        table.set("metadata", FullForm.bookmarkMetadata(resourceVersion, false));
        if (columnsShown) {
            table.putNull("columnDefinitions");
        } else {
            table.set("columnDefinitions", definitions());
        }
        columnsShown = true;
        table.putArray("rows").add(row(tree));
        return table;
    }

    private ArrayNode definitions() {
        ArrayNode definitions = Json.array();
        columns.forEach(column -> definitions.add(column.definition()));
        return definitions;
    }

    private ObjectNode row(ObjectNode tree) {
        ObjectNode row = Json.object();
        ArrayNode cells = row.putArray("cells");
        Instant now = clock.get();
        columns.forEach(column -> cells.add(column.cell().apply(tree, now)));
        switch (includeObject) {
            case "Object" -> row.set("object", tree);
            case "None" -> row.putNull("object");
            default -> row.set("object", MetadataForm.partial(tree.path("metadata")));
        }
        return row;
    }
}
