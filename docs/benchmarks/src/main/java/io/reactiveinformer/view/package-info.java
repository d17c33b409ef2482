/** Benchmarks of notifying subscribers, in the package of the classes that do it, since these are package-private. */
@NullMarked
package io.reactiveinformer.view;

import org.jspecify.annotations.NullMarked;
