/**
 * Bytes to objects and back: frames cut from a stream, list items as they arrive, the metadata skim, and Jackson on the official
 * model classes. Independent of requests.
 */
@NullMarked
package io.reactiveinformer.internal.codec;

import org.jspecify.annotations.NullMarked;
