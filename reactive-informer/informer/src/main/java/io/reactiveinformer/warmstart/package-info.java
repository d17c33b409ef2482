/**
 * The storage with which the informers of the next process begin: files, or what a user writes. The informers alone know what the bytes
 * mean.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.warmstart;

import org.jspecify.annotations.NullMarked;
