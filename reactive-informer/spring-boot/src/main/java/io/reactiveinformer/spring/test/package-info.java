/**
 * For tests of Spring Boot applications: a
 * {@code FakeApiServer} as the cluster of a test, and informers of given objects. As in Spring Boot, whose modules have their slices,
 * applications need no further artifact for them; nothing here is used unless a test names it.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.spring.test;

import org.jspecify.annotations.NullMarked;
