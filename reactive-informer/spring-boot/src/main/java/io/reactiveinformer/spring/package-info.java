/**
 * Spring Boot auto-configuration: a client, an informer factory and the informers that properties declare, as beans; started, stopped and
 * monitored with the application. Optional: no other module depends on it.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.spring;

import org.jspecify.annotations.NullMarked;
