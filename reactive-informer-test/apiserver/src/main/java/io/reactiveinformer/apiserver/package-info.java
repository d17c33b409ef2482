/** A Kubernetes API server in memory, for tests and demonstrations: {@link io.reactiveinformer.apiserver.ApiServer}, or {@code java -jar}. */
@NullMarked
package io.reactiveinformer.apiserver;

import org.jspecify.annotations.NullMarked;
