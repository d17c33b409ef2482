/**
 * Clusters that change: simulated controllers, scheduler and kubelets that act on the objects of a
 * {@link io.reactiveinformer.test.FakeApiServer}, and workloads that give them something to do. The same seed makes the same moves.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.test.simulation;

import org.jspecify.annotations.NullMarked;
