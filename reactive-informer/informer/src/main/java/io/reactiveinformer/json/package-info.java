/**
 * Writes changes, snapshots and statuses as JSON, for Jackson 3 and libraries that use it. Objects are written as the server writes them;
 * nothing is read. The application decides which receivers may see which objects.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.json;

import org.jspecify.annotations.NullMarked;
