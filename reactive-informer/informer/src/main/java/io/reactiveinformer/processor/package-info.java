/**
 * Works on the rows of a view, so that what is written elsewhere is right in the end: each row in its newest state, and one at a time.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.processor;

import org.jspecify.annotations.NullMarked;
