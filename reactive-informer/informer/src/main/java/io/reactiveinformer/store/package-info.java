/**
 * The cache. One writer applies deltas; readers see immutable snapshots and never wait. The reflector produces the deltas, and the informer
 * notifies subscribers; both are outside of this package.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.store;

import org.jspecify.annotations.NullMarked;
