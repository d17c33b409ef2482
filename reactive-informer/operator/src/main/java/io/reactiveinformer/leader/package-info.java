/**
 * Leader election among several processes, by a Lease in the cluster; each process uses only its own clock. The user defines the work of
 * the leader. Failures are emitted as values, and the user decides what follows from them.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.leader;

import org.jspecify.annotations.NullMarked;
