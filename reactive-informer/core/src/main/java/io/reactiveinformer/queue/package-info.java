/**
 * Work queues of keys: each key at most once in line, never worked on twice at a time, and tried again later after a failure. Independent
 * of Kubernetes.
 */
@NullMarked
package io.reactiveinformer.queue;

import org.jspecify.annotations.NullMarked;
