/**
 * Configuration of a cluster: its address, trust and credentials, from kubeconfig files, service accounts or code. Opens no connection.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.config;

import org.jspecify.annotations.NullMarked;
