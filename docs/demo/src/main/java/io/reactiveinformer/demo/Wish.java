package io.reactiveinformer.demo;

import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.reflector.ReflectorOptions.Consistency;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.Selector;
import org.jspecify.annotations.Nullable;

/**
 * What to watch, and for how long.
 *
 * @param pageSize how many objects to list at a time; null for the default
 * @param count how many changes to print before ending; null for no such limit
 * @param snapshot whether all that is there is printed at the end
 */
record Wish(ResourceName resource, Namespaces namespaces, Selector selector, @Nullable Integer pageSize, @Nullable Long count,
        boolean snapshot) {

    /**
     * A streaming list has no pages, and a server answers pages only from its newest state: its cache, where old data may do, is told
     * whole.
     */
    ReflectorOptions reflectorOptions() {
        ReflectorOptions defaults = ReflectorOptions.defaults();
        return pageSize == null ? defaults : defaults.withStreaming(false).withPageSize(pageSize).withConsistency(Consistency.MOST_RECENT);
    }
}
