/**
 * HTTP, and nothing of Kubernetes: one request, one streamed answer. Connections, TLS, timeouts and protocol versions are decided here;
 * what a status or a body means is not.
 */
@NullMarked
package io.reactiveinformer.transport;

import org.jspecify.annotations.NullMarked;
