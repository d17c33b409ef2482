/** Discovery of services in turns with Spring Cloud Kubernetes. */
@NullMarked
package io.reactiveinformer.benchmarks.services;

import org.jspecify.annotations.NullMarked;
