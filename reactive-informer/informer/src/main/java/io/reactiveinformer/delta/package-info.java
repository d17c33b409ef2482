/**
 * Changes on their way from the reflector to the store: the events of a reflector, the deltas made of them, and the stage that merges,
 * dedupes and conflates by key. Depends neither on the sender of the events nor on the store.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.delta;

import org.jspecify.annotations.NullMarked;
