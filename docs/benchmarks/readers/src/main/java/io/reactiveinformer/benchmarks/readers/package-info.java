/** Readers of a topic of Kafka beside as many informers of the API server. */
@org.jspecify.annotations.NullMarked
package io.reactiveinformer.benchmarks.readers;
