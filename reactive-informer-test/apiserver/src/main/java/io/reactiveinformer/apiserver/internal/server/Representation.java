package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import java.util.List;

/**
 * The form of objects in one answer: whole, their metadata only, or as rows of a table. Created for one request of one type in one served
 * version; it may keep state of what it has written.
 */
interface Representation {

    /** One object, as the whole body of an answer or as the object of an event, without a line end. */
    List<byte[]> single(StoredObject object);

    /** The bytes of a list before the first item. */
    byte[] listStart(ListHead head);

    /** One item, without the separator. */
    List<byte[]> item(StoredObject object);

    default byte[] listEnd(ListHead head) {
        return Json.utf8("]}\n");
    }

    /**
     * The object of a bookmark.
     *
     * @param initialEventsEnd true for the bookmark that ends the initial events of a streaming list
     */
    byte[] bookmarkObject(long version, boolean initialEventsEnd);

    /**
     * The metadata of a list.
     *
     * @param continuation empty for the last page
     * @param remaining 0 if it is not known, or nothing remains
     * @param shards the shard selector of the list; empty for none
     */
    record ListHead(long version, String continuation, long remaining, String shards) {}
}
