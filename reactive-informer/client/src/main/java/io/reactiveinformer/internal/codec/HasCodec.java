package io.reactiveinformer.internal.codec;

/** A client with a codec of its own. A cache of its objects that reads them with this codec shares their equal parts. */
public interface HasCodec {

    /** Reads and writes the objects of this client. */
    ObjectCodec codec();
}
