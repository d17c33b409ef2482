/**
 * What has changed, between the reflector that hears of it and the store that holds it: the events of a reflector, the deltas made of them,
 * and the stage that merges, dedupes and conflates by key. Knows neither who sends the events nor who keeps the objects.
 */
@NullMarked
package io.reactiveinformer.delta;

import org.jspecify.annotations.NullMarked;
