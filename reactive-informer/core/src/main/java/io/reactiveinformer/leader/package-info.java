/**
 * Who leads, among several that could: leadership by a Lease of the cluster, by each one's own clock alone. What is done while leading is the
 * user's; so is what to do about a failure, which is told as a value.
 */
@NullMarked
package io.reactiveinformer.leader;

import org.jspecify.annotations.NullMarked;
