/** An operator of this library beside the same operator of the Java Operator SDK. */
@org.jspecify.annotations.NullMarked
package io.reactiveinformer.benchmarks.operators;
