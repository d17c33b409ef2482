/**
 * The vocabulary of the Kubernetes API: keys, types, namespaces, selectors, versions, events and failures. All are values; nothing here
 * does I/O, waits, or decodes bytes.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.resource;

import org.jspecify.annotations.NullMarked;
