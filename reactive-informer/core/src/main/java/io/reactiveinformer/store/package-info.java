/**
 * The cache. One writer applies deltas; readers see immutable snapshots and never wait. Where deltas come from, and who is told, is
 * the business of others.
 */
@NullMarked
package io.reactiveinformer.store;

import org.jspecify.annotations.NullMarked;
