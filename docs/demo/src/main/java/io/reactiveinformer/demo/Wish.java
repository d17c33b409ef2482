package io.reactiveinformer.demo;

import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.reflector.ReflectorOptions.Consistency;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.Selector;
import org.jspecify.annotations.Nullable;

/**
 * What to watch, and for how long.
 *
 * @param untilDefined whether a resource that the server does not have is waited for
 * @param pageSize how many objects to list at a time; null for the default
 * @param count how many changes to print before ending; null for no such limit
 * @param snapshot whether all objects are printed at the end
 */
record Wish(ResourceName resource, Namespaces namespaces, Selector selector, boolean untilDefined, @Nullable Integer pageSize,
        @Nullable Long count, boolean snapshot) {

    /**
     * A streaming list has no pages, and a server pages only lists of the newest state: a list that may be old is sent from the server's
     * cache as a whole.
     */
    ReflectorOptions reflectorOptions() {
        ReflectorOptions defaults = ReflectorOptions.defaults();
        return pageSize == null ? defaults : defaults.withStreaming(false).withPageSize(pageSize).withConsistency(Consistency.MOST_RECENT);
    }
}
