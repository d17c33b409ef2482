/**
 * Keys that wait for work: each at most once in line, never worked on twice at a time, again later when that failed. Knows nothing of
 * Kubernetes.
 */
@NullMarked
package io.reactiveinformer.queue;

import org.jspecify.annotations.NullMarked;
