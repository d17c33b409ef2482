/**
 * What subscribers see, as JSON: for Jackson 3, and thereby for whatever writes with it. Objects are written as the server would write them, and nothing is
 * read. Who sends them to whom is the application's business.
 */
@NullMarked
package io.reactiveinformer.json;

import org.jspecify.annotations.NullMarked;
