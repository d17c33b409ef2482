/**
 * The storage with which the informers of the next process begin: files, or what a user writes. The informers alone know what the bytes
 * mean.
 */
@NullMarked
package io.reactiveinformer.warmstart;

import org.jspecify.annotations.NullMarked;
