/**
 * The dashboard: a page that shows rows made of a cluster's objects while they change, and the service behind it. What is sent is a few
 * columns of each object, never the object; who reads slowly is told of the latest state only. Where the cluster comes from is the
 * command's business.
 */
@NullMarked
package io.reactiveinformer.demo.dashboard;

import org.jspecify.annotations.NullMarked;
