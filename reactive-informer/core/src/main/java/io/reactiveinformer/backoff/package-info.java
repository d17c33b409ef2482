/**
 * Delays between attempts as a value: how long the first is, how they grow, how they are spread, when they start over. Nothing here waits
 * itself.
 */
@NullMarked
package io.reactiveinformer.backoff;

import org.jspecify.annotations.NullMarked;
