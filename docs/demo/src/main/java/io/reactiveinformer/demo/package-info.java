/**
 * The command line that {@code ./informer} runs. A command reads its options, connects, and hands over to a run that prints what an
 * informer tells; how a line looks is the printer's business alone.
 */
@NullMarked
package io.reactiveinformer.demo;

import org.jspecify.annotations.NullMarked;
