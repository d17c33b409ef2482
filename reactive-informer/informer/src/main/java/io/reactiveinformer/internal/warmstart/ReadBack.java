package io.reactiveinformer.internal.warmstart;

import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.internal.codec.WrittenObjects;
import io.reactiveinformer.internal.informer.SameContent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * The result of writing some rows and reading them again: a class may have properties that are read but not written, which would be lost.
 *
 * @param tried the number of rows that were tried
 * @param lossy the key of the first row that was not equal afterwards; null if there was none
 */
record ReadBack(int tried, @Nullable ObjectKey lossy) {

    /** The number of rows to try, which takes some milliseconds. Several, as one object may have fields that another lacks. */
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
