/**
 * The state of a cluster in memory: its types, its objects, and the history that serves watches and old lists. One version counter for
 * everything, as in etcd. Every write, and every read of several things at once, takes the cluster's lock for a short time.
 *
 * <p>Independent of HTTP. Public only because the kit's other packages use it; tests use {@code FakeApiServer}.
 */
@NullMarked
package io.reactiveinformer.apiserver.internal.cluster;

import org.jspecify.annotations.NullMarked;
