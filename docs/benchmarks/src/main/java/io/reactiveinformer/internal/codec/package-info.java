/** Benchmarks of what is between bytes and objects, in its package since it is nobody else's business. */
@NullMarked
package io.reactiveinformer.internal.codec;

import org.jspecify.annotations.NullMarked;
