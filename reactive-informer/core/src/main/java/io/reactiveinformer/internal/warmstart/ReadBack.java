package io.reactiveinformer.internal.warmstart;

import io.reactiveinformer.internal.SameContent;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.internal.codec.WrittenObjects;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * The result of writing some rows and reading them again: a class may have fields that are read but not written, which would come back
 * empty.
 *
 * @param tried how many rows
 * @param lossy the first that was not as before; null if there was none
 */
record ReadBack(int tried, @Nullable ObjectKey lossy) {

    /** How many rows are tried, which takes some milliseconds: a field that one object lacks, another may have. */
    private static final int ENOUGH = 100;

    static <T> ReadBack of(Snapshot<ObjectKey, T> rows, ResourceType<T> type, ObjectCodec codec) {
        WrittenObjects<T> objects = codec.written(type);
        Snapshot.Cursor<ObjectKey, T> cursor = rows.cursor();
        int tried = 0;
        while (tried < ENOUGH && cursor.advance()) {
            tried++;
            Versioned<T> row = cursor.row();
            byte[] bytes = codec.write(row.object());
            Versioned<T> again = objects.read(cursor.key(), row.uid(), row.resourceVersion(), bytes, 0, bytes.length);
            if (!SameContent.of(row.object(), again.object())) {
                return new ReadBack(tried, cursor.key());
            }
        }
        return new ReadBack(tried, null);
    }
}
