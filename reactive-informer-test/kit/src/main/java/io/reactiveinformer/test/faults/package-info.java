/**
 * Ways in which an API server and its network let clients down, on command and by seed. Each fault says when it happened, so that a test waits
 * for that instead of sleeping.
 */
@NullMarked
package io.reactiveinformer.test.faults;

import org.jspecify.annotations.NullMarked;
