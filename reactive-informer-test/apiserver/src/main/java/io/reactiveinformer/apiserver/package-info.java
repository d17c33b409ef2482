/**
 * A Kubernetes API server in memory, for tests and demonstrations: {@link ApiServer}, or {@code java -jar}.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.apiserver;

import org.jspecify.annotations.NullMarked;
