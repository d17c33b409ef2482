/** JMH: what single steps on a change's way cost. Those that need what is nobody else's business are in its package. */
@NullMarked
package io.reactiveinformer.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
