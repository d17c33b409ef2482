package io.reactiveinformer.test.foreign;

import java.util.Map;

/** The cache of someone else's informer on config maps. */
interface ForeignCache extends AutoCloseable {

    /** The resourceVersion of each object, by namespace and name. */
    Map<String, String> versions();

    @Override
    void close();
}
