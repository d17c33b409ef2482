/**
 * Describes the delays between attempts as a value: the first delay, how delays grow, their random part, and when they start over. Computes
 * delays only; nothing here waits.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.backoff;

import org.jspecify.annotations.NullMarked;
