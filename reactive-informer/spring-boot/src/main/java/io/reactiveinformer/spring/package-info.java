/**
 * Spring Boot: a client, an informer factory and the informers that properties name, as beans; started, stopped and watched over with the application. Optional:
 * nothing else here knows of it.
 */
@NullMarked
package io.reactiveinformer.spring;

import org.jspecify.annotations.NullMarked;
