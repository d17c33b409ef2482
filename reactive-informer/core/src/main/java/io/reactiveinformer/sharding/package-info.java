/**
 * One controller in several processes at once: its keys are divided among those that live, by Leases of the cluster and each one's own clock alone. What is
 * worked on, and how, is the controller's business.
 */
@NullMarked
package io.reactiveinformer.sharding;

import org.jspecify.annotations.NullMarked;
