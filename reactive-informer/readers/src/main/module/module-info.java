/** Reads the objects of known classes faster than Jackson, and shares their equal parts. Found by the client. */
module io.reactiveinformer.readers {
    requires io.reactiveinformer.client;
    requires static org.jspecify;

    requires com.google.gson;
    requires tools.jackson.core;

    exports io.reactiveinformer.internal.protobuf to io.reactiveinformer.apiserver;

    provides io.reactiveinformer.internal.codec.ClassReaders.Provider with io.reactiveinformer.internal.readers.OwnReaders.Provider;
}
