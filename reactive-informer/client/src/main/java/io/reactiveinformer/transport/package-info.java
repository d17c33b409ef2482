/**
 * HTTP, independent of Kubernetes: one request, one streamed answer. This package handles connections, TLS, timeouts and protocol versions;
 * it does not interpret statuses and bodies.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.transport;

import org.jspecify.annotations.NullMarked;
