/**
 * The dashboard: a page that shows rows made of a cluster's objects while they change, and the service behind it. The service sends a few
 * columns of each object, never the object; a slow browser receives the latest state only. The command connects to the cluster.
 */
@NullMarked
package io.reactiveinformer.demo.dashboard;

import org.jspecify.annotations.NullMarked;
