package io.reactiveinformer.spring;

import io.reactiveinformer.config.ClusterConfig;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * The cluster that the client connects to. A bean of this type takes the place of the properties {@code url}, {@code token},
 * {@code kubeconfig} and {@code context}, as other connection details of Spring Boot do: for a server that a test starts.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface KubernetesConnectionDetails extends ConnectionDetails {

    /** The address of the API server and the credentials; called once, when the client is made. */
    ClusterConfig cluster();
}
