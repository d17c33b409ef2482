package io.reactiveinformer.demo;

import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Selector;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What to watch, and for how long.
 *
 * @param count how many changes to print before ending; null for no such limit
 * @param duration how long to go on; null for ever
 * @param snapshot whether all that is there is printed at the end
 */
record Wish(ResourceName resource, Scope scope, Selector selector, @Nullable Long count, @Nullable Duration duration, boolean snapshot) {}
