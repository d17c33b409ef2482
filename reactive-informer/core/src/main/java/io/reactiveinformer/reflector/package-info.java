/** Keeps up with the server: lists, watches, resumes, and lists again, in one state machine. Caches no objects. */
@NullMarked
package io.reactiveinformer.reflector;

import org.jspecify.annotations.NullMarked;
