/** A Lease as others write it, and as this process writes it, for leader election and for sharding. */
@NullMarked
package io.reactiveinformer.internal.lease;

import org.jspecify.annotations.NullMarked;
