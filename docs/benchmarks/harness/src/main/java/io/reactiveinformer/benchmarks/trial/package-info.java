/** A server that can be loaded at will, in a process of its own, and what is done to each library that caches its pods, in another. */
@NullMarked
package io.reactiveinformer.benchmarks.trial;

import org.jspecify.annotations.NullMarked;
