/**
 * A cluster for tests: an API server that speaks as the real one does, misbehaves on command, and says when it did. In the process, over
 * sockets or without, in real or virtual time.
 */
@NullMarked
package io.reactiveinformer.test;

import org.jspecify.annotations.NullMarked;
