/** Many browsers at a service that shows pods: the service in one process; the cluster, its writer, and the browsers in another. */
@NullMarked
package io.reactiveinformer.benchmarks.browsers;

import org.jspecify.annotations.NullMarked;
