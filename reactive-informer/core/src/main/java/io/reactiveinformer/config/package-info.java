/**
 * Which cluster is meant, and who we are there: kubeconfig files, service accounts, addresses, credentials. Opens no connection.
 */
@NullMarked
package io.reactiveinformer.config;

import org.jspecify.annotations.NullMarked;
