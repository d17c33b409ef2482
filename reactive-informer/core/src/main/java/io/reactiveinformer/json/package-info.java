/**
 * Changes, snapshots and statuses as JSON, for Jackson 3 and libraries that write with it. Objects are written as the server would write
 * them, and nothing is read. Who may receive them is the application's decision.
 */
@NullMarked
package io.reactiveinformer.json;

import org.jspecify.annotations.NullMarked;
