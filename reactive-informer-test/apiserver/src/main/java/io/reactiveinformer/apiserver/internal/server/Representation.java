package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.ObjectEvent;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import java.util.List;

/**
 * How objects are shown to one client: whole, their metadata only, or as rows of a table. Made for one request, of one type in one served
 * version; may remember what it has shown.
 */
interface Representation {

    /** One object as the whole body of an answer, without a line end. */
    List<byte[]> single(StoredObject object);

    /** What stands before the first item. */
    byte[] listStart(ListHead head);

    /** One item, without what separates it from the next. */
    List<byte[]> item(StoredObject object);

    byte[] listEnd(ListHead head);

    /** The object of an event. */
    List<byte[]> eventObject(ObjectEvent.Type type, StoredObject object);

    /**
     * The object of a bookmark.
     *
     * @param initialEventsEnd for the one that ends a streaming list
     */
    byte[] bookmarkObject(long version, boolean initialEventsEnd);

    /**
     * @param continuation empty for the last page
     * @param remaining 0 where it is not known, or nothing remains
     * @param shards by which the list was selected; empty for none
     */
    record ListHead(long version, String continuation, long remaining, String shards) {}
}
