/**
 * Views: rows to read, and the changes of these rows, delivered to each subscriber at its own demand and conflated by key while there is
 * none. Where the rows come from is up to the informer.
 */
@NullMarked
package io.reactiveinformer.view;

import org.jspecify.annotations.NullMarked;
