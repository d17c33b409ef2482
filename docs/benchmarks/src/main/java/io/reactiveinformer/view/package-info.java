/** Benchmarks of telling subscribers, in its package since where they are told is nobody else's business. */
@NullMarked
package io.reactiveinformer.view;

import org.jspecify.annotations.NullMarked;
