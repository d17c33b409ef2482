/**
 * The cache. One writer applies deltas; readers see immutable snapshots and never wait. This package knows neither the source of deltas nor
 * the subscribers.
 */
@NullMarked
package io.reactiveinformer.store;

import org.jspecify.annotations.NullMarked;
