/**
 * A cluster for tests: an API server that answers as the real one does, fails on command, and reports when it did. It runs in the test's
 * process, with sockets or without, in real or virtual time.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.test;

import org.jspecify.annotations.NullMarked;
