/**
 * The contracts of this library's interfaces as abstract tests for JUnit. The author of an implementation extends one and provides the
 * implementation that is tested.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.test.contract;

import org.jspecify.annotations.NullMarked;
