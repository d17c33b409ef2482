/**
 * Views: rows to read, and the changes of these rows, delivered to each subscriber at its own demand, and conflated by key while there is
 * no demand. Views can be derived from views.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.view;

import org.jspecify.annotations.NullMarked;
