package io.reactiveinformer.demo.controllers;

import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1ReplicaSet;
import io.kubernetes.client.openapi.models.V1ReplicaSetSpec;
import io.reactiveinformer.controller.Owner;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Converts a deployment's template to that of a ReplicaSet, and compares them. They differ in one label, the hash, which distinguishes the
 * pods of a deployment's ReplicaSets. A ReplicaSet is found by comparing templates, never by the hash: another version may compute another
 * hash for the same template.
 */
final class Templates {

    static final String HASH = "pod-template-hash";

    private Templates() {}

    /** The parts of a template that are compared. */
    private record Content(Map<String, String> labels, Map<String, String> annotations, @Nullable V1PodSpec spec) {

        static Content of(V1PodTemplateSpec template) {
            V1ObjectMeta metadata = metadata(template);
            Map<String, String> labels = new HashMap<>(Meta.orEmpty(metadata.getLabels()));
            labels.remove(HASH);
            return new Content(labels, Meta.orEmpty(metadata.getAnnotations()), template.getSpec());
        }
    }

    static boolean same(V1PodTemplateSpec one, V1PodTemplateSpec other) {
        return Content.of(one).equals(Content.of(other));
    }

    /** @param collisions how often a hash was that of another template's ReplicaSet */
    static String hash(V1PodTemplateSpec template, int collisions) {
        int hash = 31 * Content.of(template).hashCode() + collisions;
        return Integer.toUnsignedString(hash, Character.MAX_RADIX);
    }

    /** A ReplicaSet for the deployment's current template. */
    static V1ReplicaSet replicaSet(V1Deployment deployment, String hash) {
        V1PodTemplateSpec template = deployment.getSpec().getTemplate();
        V1ObjectMeta metadata = metadata(template);
        V1LabelSelector selector = deployment.getSpec().getSelector();
        V1ReplicaSet set = new V1ReplicaSet().metadata(new V1ObjectMeta()
                .namespace(Meta.namespace(deployment))
                .name(Meta.name(deployment) + "-" + hash)
                .labels(Meta.with(metadata.getLabels(), HASH, hash))
                .addOwnerReferencesItem(Owner.of(DeploymentController.DEPLOYMENTS, deployment).reference()));
        set.spec(new V1ReplicaSetSpec()
                .minReadySeconds(deployment.getSpec().getMinReadySeconds())
                .selector(new V1LabelSelector()
                        .matchLabels(Meta.with(selector.getMatchLabels(), HASH, hash))
                        .matchExpressions(selector.getMatchExpressions()))
                .template(new V1PodTemplateSpec()
                        .metadata(new V1ObjectMeta()
                                .labels(Meta.with(metadata.getLabels(), HASH, hash))
                                .annotations(metadata.getAnnotations())
                                .finalizers(metadata.getFinalizers()))
                        .spec(template.getSpec())));
        return set;
    }

    private static V1ObjectMeta metadata(V1PodTemplateSpec template) {
        return Objects.requireNonNullElseGet(template.getMetadata(), V1ObjectMeta::new);
    }
}
