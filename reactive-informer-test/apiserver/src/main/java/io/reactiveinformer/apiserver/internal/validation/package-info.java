/**
 * What the API server refuses: the rules of metadata and of the built-in types, with the server's messages. Rules of single fields are in a
 * table; here are the rules across fields, names, and what an update cannot change.
 *
 * <p>Pure functions of trees. Public only because the cluster uses it.
 */
@NullMarked
package io.reactiveinformer.apiserver.internal.validation;

import org.jspecify.annotations.NullMarked;
