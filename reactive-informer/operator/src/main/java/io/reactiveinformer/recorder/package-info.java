/**
 * Records Kubernetes Events, which show people what happened to an object. Best effort: recording never blocks the caller, and the observer
 * is notified of an Event that could not be written, and that is then dropped.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.recorder;

import org.jspecify.annotations.NullMarked;
