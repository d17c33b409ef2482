/**
 * Cache and notifications together: reflectors feed a store, its changes go to subscribers, and a status says how it stands. The factory
 * shares informers between callers.
 */
@NullMarked
package io.reactiveinformer.informer;

import org.jspecify.annotations.NullMarked;
