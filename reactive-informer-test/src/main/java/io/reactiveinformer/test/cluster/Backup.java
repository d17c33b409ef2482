package io.reactiveinformer.test.cluster;

import java.util.List;

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
