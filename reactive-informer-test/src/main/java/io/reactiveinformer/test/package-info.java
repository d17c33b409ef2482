/**
 * The test kit: sources that follow a script, an API server that misbehaves on command, and verifiers of what came of it. For tests of
 * whoever uses the library, and for the library's own.
 */
@NullMarked
package io.reactiveinformer.test;

import org.jspecify.annotations.NullMarked;
