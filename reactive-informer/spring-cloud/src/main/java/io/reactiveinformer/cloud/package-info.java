/**
 * Spring Cloud's service discovery and load balancing, from an informer of EndpointSlices: each call reads memory, and a change of the
 * server is in effect once the informer has received it, or, with health checks, once these have ended. And properties of ConfigMaps and
 * Secrets, which an application imports. No type is public: applications use Spring Cloud's own. Optional: no other module depends on it.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.cloud;

import org.jspecify.annotations.NullMarked;
