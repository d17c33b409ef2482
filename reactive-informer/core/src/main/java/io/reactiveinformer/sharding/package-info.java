/**
 * One controller in several processes at once: its keys are divided among the living members, by Leases of the cluster; each process uses
 * only its own clock. The controller decides which keys there are and what is done for them.
 */
@NullMarked
package io.reactiveinformer.sharding;

import org.jspecify.annotations.NullMarked;
