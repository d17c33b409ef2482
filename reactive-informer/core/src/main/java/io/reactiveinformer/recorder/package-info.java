/**
 * Records Kubernetes Events, for people who look at an object and ask what happened to it. Best effort: recording never blocks the caller,
 * and an Event that could not be written is reported to the observer and then dropped.
 */
@NullMarked
package io.reactiveinformer.recorder;

import org.jspecify.annotations.NullMarked;
