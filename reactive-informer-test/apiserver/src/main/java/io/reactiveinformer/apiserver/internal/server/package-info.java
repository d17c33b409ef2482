/**
 * The API server's requests and answers: paths, options, representations, watches and discovery of a cluster in memory. Each request is
 * answered with status, headers and a stream of bytes, which {@code HttpShell} sends over sockets and {@code MemoryTransport} without.
 *
 * <p>Public only because the kit's other packages use it; tests use {@code FakeApiServer}.
 */
@NullMarked
package io.reactiveinformer.apiserver.internal.server;

import org.jspecify.annotations.NullMarked;
