package io.reactiveinformer.benchmarks.trial;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A library on trial: caches pods and tells of them. */
public interface Contender extends AutoCloseable {

    /** Receives the mark of each pod that comes or changes, as the library notifies its handlers. */
    interface Handler {
        void handle(@Nullable String mark);
    }

    /**
     * Begins to cache.
     *
     * @param url of the server, or the path of a kubeconfig
     * @param namespaces an informer for each; one for everywhere if empty
     */
    void start(String url, List<String> namespaces, Handler handler);

    /** Waits until everything is cached. */
    void awaitSynced() throws Exception;

    /** How many pods are cached. */
    int size();

    /** The version of the pod that is cached; null if there is none. */
    @Nullable String version(String namespace, String name);

    /** The pod, as a user would read it. */
    @Nullable Object get(String namespace, String name);

    /** The pods of a namespace, as a user would walk over them. */
    int list(String namespace);

    /** How many changes wait for the handler; -1 if the library does not say. */
    default int backlog() {
        return -1;
    }

    @Override
    void close();
}
