/**
 * Runs one controller in several processes at once. Leases in the cluster show which processes are alive, and the keys are divided among
 * these; each process uses only its own clock. The controller defines the keys and the work on them.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.sharding;

import org.jspecify.annotations.NullMarked;
