/**
 * Typed requests to the API server: get, list, watch, create, update, patch, delete, discovery. Each subscription is one request; what to
 * do when one fails is left to others.
 */
@NullMarked
package io.reactiveinformer.client;

import org.jspecify.annotations.NullMarked;
