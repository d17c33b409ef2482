/** An application that discovers services; the libraries on its class path decide how. */
@NullMarked
package io.reactiveinformer.benchmarks.discovery;

import org.jspecify.annotations.NullMarked;
