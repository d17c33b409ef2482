/**
 * What the rows of derived views are computed by: filter and map, groups, joins, each from the changes of its sources, which are given to it
 * batch by batch. Used by one thread at a time. Where changes come from, and who receives the rows, is left to the views.
 */
@NullMarked
package io.reactiveinformer.internal.derived;

import org.jspecify.annotations.NullMarked;
