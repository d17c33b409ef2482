/**
 * Kubernetes Events about our work, for people who look at an object and ask what happened to it. They are told on a best-effort basis: recording
 * costs the caller nothing, and what could not be written is reported, and then forgotten.
 */
@NullMarked
package io.reactiveinformer.recorder;

import org.jspecify.annotations.NullMarked;
