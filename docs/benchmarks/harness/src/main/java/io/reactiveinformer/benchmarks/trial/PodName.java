package io.reactiveinformer.benchmarks.trial;

/** Where a pod is found. */
record PodName(String namespace, String name) {}
