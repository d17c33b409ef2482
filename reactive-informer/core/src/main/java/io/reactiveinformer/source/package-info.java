/**
 * The two calls that a reflector needs, list and watch, and what stands behind them: the server, or a script in a test. How to keep up with
 * what they tell is the reflector's business.
 */
@NullMarked
package io.reactiveinformer.source;

import org.jspecify.annotations.NullMarked;
