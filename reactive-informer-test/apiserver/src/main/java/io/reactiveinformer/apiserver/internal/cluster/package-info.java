/**
 * The state of a cluster in memory: its types, its objects, and the history that watches and old lists are answered from. One version
 * counter for everything, as etcd has it; every write and every read of several things at once holds the cluster's lock, shortly.
 *
 * <p>Knows nothing of HTTP. Public only because the kit's other packages stand on it: tests use {@code FakeApiServer}.
 */
@NullMarked
package io.reactiveinformer.apiserver.internal.cluster;

import org.jspecify.annotations.NullMarked;
