/**
 * The API server's requests and answers: paths, options, representations, watches and discovery over a cluster in memory. A request goes in, and
 * status, headers and a stream of bytes come out, whoever carries them: {@code HttpShell} over sockets, {@code MemoryTransport} without.
 *
 * <p>Public only because the kit's other packages stand on it: tests use {@code FakeApiServer}.
 */
@NullMarked
package io.reactiveinformer.apiserver.internal.server;

import org.jspecify.annotations.NullMarked;
