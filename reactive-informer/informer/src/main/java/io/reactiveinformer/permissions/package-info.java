/**
 * Permissions: what a user may read, decided as the API server decides it, and emitted again whenever it changes. What is not known to be
 * allowed is refused.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.permissions;

import org.jspecify.annotations.NullMarked;
