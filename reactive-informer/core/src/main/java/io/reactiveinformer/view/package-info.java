/**
 * What subscribers see: changes, each at its own demand, conflated by key while there is none. Where the rows come from is the
 * informer's business.
 */
@NullMarked
package io.reactiveinformer.view;

import org.jspecify.annotations.NullMarked;
