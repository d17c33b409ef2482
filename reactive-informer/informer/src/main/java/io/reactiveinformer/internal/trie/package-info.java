/**
 * A persistent map, {@link HashTrie}, with its edits and walks; its nodes are hidden. This package knows neither what is kept in a map nor
 * the cache that is made of maps.
 */
@NullMarked
package io.reactiveinformer.internal.trie;

import org.jspecify.annotations.NullMarked;
