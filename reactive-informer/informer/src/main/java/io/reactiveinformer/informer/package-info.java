/**
 * Combines cache and notifications: reflectors feed a store, whose changes go to subscribers, and a status shows how current the cache is.
 * The factory shares informers between callers.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.informer;

import org.jspecify.annotations.NullMarked;
