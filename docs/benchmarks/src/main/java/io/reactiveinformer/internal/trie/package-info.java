/** Benchmarks of the cache's map, in its package since it is nobody else's business. */
@NullMarked
package io.reactiveinformer.internal.trie;

import org.jspecify.annotations.NullMarked;
