/**
 * Brings the actual state to the desired state, one key at a time: changes of views select the keys, a queue paces them, and a
 * {@link io.reactiveinformer.controller.Reconciler} works on each. The user writes what is done for a key; this package decides when, how
 * often, how many keys at a time, and how failures are retried.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.controller;

import org.jspecify.annotations.NullMarked;
