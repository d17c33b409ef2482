/**
 * The contracts of this library's interfaces as abstract tests for JUnit: who writes an implementation extends one and says how it is made. The
 * one of work queues will stand here as {@code WorkQueueContract} when there is such an interface.
 */
@NullMarked
package io.reactiveinformer.test.contract;

import org.jspecify.annotations.NullMarked;
