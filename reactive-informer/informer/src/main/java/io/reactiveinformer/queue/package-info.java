/**
 * Work queues of keys: each key is in line at most once, is worked on once at a time, and is tried again later after a failure. Independent
 * of Kubernetes.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.queue;

import org.jspecify.annotations.NullMarked;
