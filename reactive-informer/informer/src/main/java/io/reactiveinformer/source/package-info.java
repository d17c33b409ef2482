/**
 * The two calls that a reflector needs, list and watch, and what stands behind them: the server, or a script in a test. Keeping up with
 * what they emit is the reflector's task.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.source;

import org.jspecify.annotations.NullMarked;
