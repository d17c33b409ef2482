/** What the server's types consist of, and how parts of them merge: of the built-in ones by a table, of custom ones by their definition's schema. */
@NullMarked
package io.reactiveinformer.apiserver.internal.schema;

import org.jspecify.annotations.NullMarked;
