/**
 * Keeps up with the server: lists, watches, resumes, and lists again, in one state machine. Caches no objects.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.reflector;

import org.jspecify.annotations.NullMarked;
