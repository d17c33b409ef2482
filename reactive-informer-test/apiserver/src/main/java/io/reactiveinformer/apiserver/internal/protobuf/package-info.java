/** Converts between JSON and Kubernetes' protocol buffers, which {@code kubectl} and other Go clients send for built-in types. */
@NullMarked
package io.reactiveinformer.apiserver.internal.protobuf;

import org.jspecify.annotations.NullMarked;
