/** What {@code docs/benchmarks/run.sh} measures. */
@NullMarked
package io.reactiveinformer.benchmarks;

import org.jspecify.annotations.NullMarked;
