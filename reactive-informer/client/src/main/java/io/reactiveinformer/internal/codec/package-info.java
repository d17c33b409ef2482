/**
 * Bytes to objects and back: cuts a stream into objects as they arrive, skims their metadata, and reads them by shapes, directly from their
 * bytes, or with Jackson, on the official model classes. Independent of requests.
 */
@NullMarked
package io.reactiveinformer.internal.codec;

import org.jspecify.annotations.NullMarked;
