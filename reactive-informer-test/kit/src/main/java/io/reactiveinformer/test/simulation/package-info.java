/**
 * Clusters that move: what the controllers, the scheduler and the kubelets of a real one would do about the objects on a
 * {@link io.reactiveinformer.test.FakeApiServer}, and workloads that give them something to do. The same seed makes the same moves.
 */
@NullMarked
package io.reactiveinformer.test.simulation;

import org.jspecify.annotations.NullMarked;
