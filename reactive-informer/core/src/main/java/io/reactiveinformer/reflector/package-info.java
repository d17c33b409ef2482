/**
 * Keeps up with the server: lists, watches, resumes, lists again, in one state machine. Keeps no objects.
 */
@NullMarked
package io.reactiveinformer.reflector;

import org.jspecify.annotations.NullMarked;
