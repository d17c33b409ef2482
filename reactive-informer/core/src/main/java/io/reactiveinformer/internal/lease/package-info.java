/** A Lease as others write it, and as this process writes it: for those who elect a leader by one, and for those who share work by many. */
@NullMarked
package io.reactiveinformer.internal.lease;

import org.jspecify.annotations.NullMarked;
