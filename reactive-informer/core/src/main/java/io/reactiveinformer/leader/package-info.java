/**
 * Leader election among several processes, by a Lease of the cluster; each process uses only its own clock. The user defines the work of
 * the leader, and the reaction to a failure, which is emitted as a value.
 */
@NullMarked
package io.reactiveinformer.leader;

import org.jspecify.annotations.NullMarked;
