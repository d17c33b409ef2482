/**
 * The command line that {@code ./informer} runs. A command reads its options, connects, and starts a run that prints what an informer
 * emits; only the printer knows the format of a line.
 */
@NullMarked
package io.reactiveinformer.demo;

import org.jspecify.annotations.NullMarked;
