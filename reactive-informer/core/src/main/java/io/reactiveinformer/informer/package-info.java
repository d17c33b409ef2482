/**
 * Cache and notifications together: reflectors feed a store, its changes go to subscribers, and a status tells how it stands. The
 * factory shares them.
 */
@NullMarked
package io.reactiveinformer.informer;

import org.jspecify.annotations.NullMarked;
