/** What to ask a real API server for first, by measurement: {@code docs/benchmarks/real.sh}. */
@NullMarked
package io.reactiveinformer.benchmarks.real;

import org.jspecify.annotations.NullMarked;
