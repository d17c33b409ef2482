package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.Backup;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A backup with the objects in the form in which the server stores them. */
public record StoredState(long version, Types types, List<StoredObject> objects, List<String> ownersGone) implements Backup {

    @Override
    public String text() {
        ObjectNode backup = head();
        var saved = backup.putArray("objects");
        objects.forEach(object -> saved.addObject().put("type", object.type().qualified()).set("object", object.storedTree()));
        return backup.toString();
    }

    /** All but the objects. */
    ObjectNode head() {
        ObjectNode head = Json.object().put("version", version);
        if (!ownersGone.isEmpty()) {
            ownersGone.forEach(head.putArray("ownersGone")::add);
        }
        return head;
    }

    /** The state that {@code backup} is. */
    static StoredState of(Backup backup) {
        return backup instanceof StoredState state ? state : parse(backup.text());
    }

    /** See {@link Backup#parse}. */
    public static StoredState parse(String text) {
        JsonNode backup;
        try {
            backup = Json.read(Json.utf8(text));
        } catch (JacksonException failure) {
            throw new IllegalArgumentException("a backup is JSON, but this is not: " + failure.getOriginalMessage(), failure);
        }
        return of(backup);
    }

    static StoredState of(JsonNode backup) {
        if (!backup.path("version").isIntegralNumber() || !backup.path("objects").isArray()) {
            throw new IllegalArgumentException("a backup has a version and objects, this has " + backup.propertyNames());
        }
        Types types = types(backup.path("objects"));
        List<StoredObject> objects = backup.path("objects").valueStream().map(saved -> object(types, saved)).toList();
        return new StoredState(backup.path("version").asLong(), types, objects, BuiltInTypes.strings(backup.path("ownersGone")));
    }

    private static Types types(JsonNode objects) {
        Set<String> present = new HashSet<>();
        objects.forEach(saved -> present.add(Json.text(saved, "type")));
        Types types = Types.builtIn();
        for (JsonNode saved : objects) {
            if (Json.text(saved, "type").equals(CustomTypes.DEFINITIONS)) {
                ResourceDefinition type = definition(saved.path("object"));
                types = CustomTypes.isEstablished(saved.path("object")) || present.contains(type.qualified()) ? types.with(type) : types;
            }
        }
        return types;
    }

    private static ResourceDefinition definition(JsonNode definition) {
        try {
            return CustomTypes.definition(definition);
        } catch (RuntimeException failure) {
            throw new IllegalArgumentException("the backup has a definition that cannot be read: "
                    + Json.text(definition, "metadata", "name"), failure);
        }
    }

    private static StoredObject object(Types types, JsonNode saved) {
        String name = Json.text(saved, "type");
        ResourceDefinition type = types.all().stream()
                .filter(known -> known.qualified().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the backup has objects of " + name + ", but no definition of that type"));
        JsonNode metadata = saved.path("object").path("metadata");
        if (Json.text(metadata, "name").isEmpty() || !Json.text(metadata, "resourceVersion").matches("\\d{1,18}")) {
            throw new IllegalArgumentException("the backup has one of " + name
                    + " without a name, or without a resourceVersion that is a number: " + metadata);
        }
        for (String field : List.of("creationTimestamp", "deletionTimestamp")) {
            if (!isTime(metadata.path(field))) {
                throw new IllegalArgumentException("the backup has one of " + name + " whose "
                        + field + " is no time such as 2026-11-21T01:56:18Z: " + metadata);
            }
        }
        ObjectNode tree = (ObjectNode) saved.path("object").deepCopy();
        return ObjectForm.stored(types.storing(type), types.storing(type).equals(type) ? tree : ObjectForm.toStorage(type, tree));
    }

    private static boolean isTime(JsonNode value) {
        if (value.isMissingNode()) {
            return true;
        }
        try {
            Instant.parse(Json.text(value));
            return true;
        } catch (DateTimeParseException failure) {
            return false;
        }
    }

    @Override
    public String toString() {
        return objects.size() + " objects at " + version;
    }
}
