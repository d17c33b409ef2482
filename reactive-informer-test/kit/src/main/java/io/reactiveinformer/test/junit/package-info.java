/**
 * JUnit 5 and 6: a server for each test class or test, started, reset and stopped. Needs {@code junit-jupiter-api} on the class path.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.test.junit;

import org.jspecify.annotations.NullMarked;
