/**
 * Saves what an informer caches, and gives the next process what was saved: the form of the bytes, what must be equal to use them, and
 * the times of saving. This package knows neither where the bytes are kept nor the informer.
 */
@NullMarked
package io.reactiveinformer.internal.warmstart;

import org.jspecify.annotations.NullMarked;
