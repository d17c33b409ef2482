package io.reactiveinformer.client;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Selector;
import java.time.Duration;

/**
 * Writes options as query parameters, without the combinations that the server refuses.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/api-concepts/#semantics-for-get-and-list">Kubernetes API concepts: semantics
 *     for get and list</a>
 */
final class Queries {

    private Queries() {}

    /** @param path of the namespace of the object, if the options have a key */
    static ResourcePath list(ResourcePath path, ListOptions options) {
        ObjectKey key = options.key();
        select(path, key == null ? options.selector() : options.selector().and(Selector.fields("metadata.name=" + key.name())));
        path.with("timeoutSeconds", options.timeout() == null ? null : Long.toString(seconds(options.timeout())));
        if (options.limit() > 0) {
            path.with("limit", Integer.toString(options.limit()));
        }
        if (options.continueToken() != null) {
            return path.with("continue", options.continueToken()); // which includes the version
        }
        if (options.resourceVersion() != null) {
            path.with("resourceVersion", options.resourceVersion());
            path.with("resourceVersionMatch", options.match() == null ? null : options.match().wire());
        }
        return path;
    }

    static ResourcePath watch(ResourcePath path, WatchOptions options) {
        path.with("watch", "true").with("timeoutSeconds", Long.toString(seconds(options.timeout())));
        select(path, options.selector());
        path.with("resourceVersion", options.resourceVersion());
        if (options.bookmarks()) {
            path.with("allowWatchBookmarks", "true");
        }
        if (options.initialEvents()) {
            path.with("sendInitialEvents", "true").with("resourceVersionMatch", "NotOlderThan");
        }
        return path;
    }

    static ResourcePath write(ResourcePath path, WriteOptions options) {
        path.with("dryRun", options.dryRun() ? "All" : null)
                .with("fieldManager", options.fieldManager())
                .with("force", options.force() ? "true" : null);
        return path.with("fieldValidation", options.fieldValidation() == null ? null : options.fieldValidation().wire());
    }

    private static void select(ResourcePath path, Selector selector) {
        path.with("labelSelector", selector.labels()).with("fieldSelector", selector.fields())
                .with("shardSelector", selector.shards() == null ? null : selector.shards().toString());
    }

    /** Rounded up. */
    static long seconds(Duration duration) {
        return duration.plusSeconds(1).minusNanos(1).toSeconds();
    }
}
