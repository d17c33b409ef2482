/**
 * The vocabulary of the Kubernetes API: keys, types, namespaces, selectors, versions, events and refusals. Values only; nothing here does
 * I/O, waits or knows how bytes become objects.
 */
@NullMarked
package io.reactiveinformer.resource;

import org.jspecify.annotations.NullMarked;
