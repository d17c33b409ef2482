/**
 * Faults of an API server and its network, on command and by seed. Each fault reports when it happened, so that a test waits for that
 * instead of sleeping.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.test.faults;

import org.jspecify.annotations.NullMarked;
