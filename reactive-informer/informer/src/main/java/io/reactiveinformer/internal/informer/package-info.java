/**
 * Shared by packages of informers and by our other modules: threads, latest values, subscriptions with a worker. Not for users. It may change in any
 * release.
 */
@NullMarked
package io.reactiveinformer.internal.informer;

import org.jspecify.annotations.NullMarked;
