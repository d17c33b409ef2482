/**
 * Brings the world to the state that is desired, one key at a time: views say which keys to look at, a queue paces them, and a
 * {@link io.reactiveinformer.controller.Reconciler} works on each. What is to be done is the user's; when, how often, how many at a time and what
 * becomes of failures is decided here.
 */
@NullMarked
package io.reactiveinformer.controller;

import org.jspecify.annotations.NullMarked;
