/**
 * Serves the dashboard of a cluster on this machine, without Spring Boot, and with buttons that cause faults of the embedded server. The
 * command connects to the cluster.
 */
@NullMarked
package io.reactiveinformer.demo.dashboard;

import org.jspecify.annotations.NullMarked;
