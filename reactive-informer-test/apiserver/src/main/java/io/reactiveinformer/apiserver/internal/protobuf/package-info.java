/** Kubernetes' protocol buffers: built-in objects as {@code kubectl} and other clients written in Go send them, to and from JSON. */
@NullMarked
package io.reactiveinformer.apiserver.internal.protobuf;

import org.jspecify.annotations.NullMarked;
