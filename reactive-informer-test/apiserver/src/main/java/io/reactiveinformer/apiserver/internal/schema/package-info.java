/** The fields of the server's types, and how they merge: of built-in types from a table, of custom types from their definition's schema. */
@NullMarked
package io.reactiveinformer.apiserver.internal.schema;

import org.jspecify.annotations.NullMarked;
