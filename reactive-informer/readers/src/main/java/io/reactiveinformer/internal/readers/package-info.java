/**
 * Reads objects of known classes directly from their bytes, JSON or protocol buffers, and takes trees that were read before from a cache.
 * What is unusual is left to Jackson. How bodies are cut into objects is left to the codec.
 */
@NullMarked
package io.reactiveinformer.internal.readers;

import org.jspecify.annotations.NullMarked;
