package io.reactiveinformer.test.cluster;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a cluster held at one moment: its objects, types and version, and nothing of its history. Immutable, and good for any server. */
public final class Backup {

    private final long version;
    private final Types types;
    private final List<StoredObject> objects;

    Backup(long version, Types types, List<StoredObject> objects) {
        this.version = version;
        this.types = types;
        this.objects = List.copyOf(objects);
    }

    /** As JSON, to be kept in a file: a server of another process goes on from it, with the same uids and versions. */
    public String text() {
        ObjectNode backup = Json.object().put("version", version);
        var saved = backup.putArray("objects");
        objects.forEach(object -> saved.addObject().put("type", object.type().qualified()).set("object", object.tree()));
        return backup.toString();
    }

    /** What {@link #text} wrote. Types are those of the definitions that it holds, as far as they were served. */
    public static Backup parse(String text) {
        JsonNode backup = Json.read(text.getBytes(StandardCharsets.UTF_8));
        Types types = Types.builtIn();
        for (JsonNode saved : backup.path("objects")) {
            if (Json.text(saved, "type").equals(CustomTypes.DEFINITIONS) && CustomTypes.isEstablished(saved.path("object"))) {
                types = types.with(CustomTypes.definition(saved.path("object")));
            }
        }
        List<StoredObject> objects = new ArrayList<>();
        for (JsonNode saved : backup.path("objects")) {
            String name = Json.text(saved, "type");
            ResourceDefinition type = types.all().stream()
                    .filter(known -> known.qualified().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("the backup has objects of " + name + ", but no definition of that type"));
            objects.add(ObjectForm.store(type, (ObjectNode) saved.path("object").deepCopy()));
        }
        return new Backup(backup.path("version").asLong(), types, objects);
    }

    public long version() {
        return version;
    }

    Types types() {
        return types;
    }

    List<StoredObject> objects() {
        return objects;
    }

    @Override
    public String toString() {
        return objects.size() + " objects at " + version;
    }
}
