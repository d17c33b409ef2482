/** A Kubernetes API server in memory, for tests and demonstrations: {@link ApiServer}, or {@code java -jar}. */
@NullMarked
package io.reactiveinformer.apiserver;

import org.jspecify.annotations.NullMarked;
