/**
 * Typed requests to the API server: get, list, watch, create, update, patch, delete, discovery. Each subscription is one request. To
 * recover from a failed list or watch is the reflector's business.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.client;

import org.jspecify.annotations.NullMarked;
