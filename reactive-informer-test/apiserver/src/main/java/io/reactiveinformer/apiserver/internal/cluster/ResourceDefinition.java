package io.reactiveinformer.apiserver.internal.cluster;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A type of object, as the server knows it. Two versions of one resource are one definition: they share objects.
 *
 * @param versions served, the preferred one first
 * @param verbs that the resource itself takes
 * @param subresources by name, with their verbs
 * @param selectableFields beside name and namespace: field selectors over others are refused
 * @param custom null for built-in types
 */
public record ResourceDefinition(
        String group,
        String plural,
        String singular,
        String kind,
        String listKind,
        boolean namespaced,
        List<String> versions,
        List<String> shortNames,
        List<String> categories,
        List<String> verbs,
        Map<String, Subresource> subresources,
        Set<String> selectableFields,
        @Nullable CustomType custom) {

    /** @param group of the object it takes, such as {@code autoscaling} for a Scale; empty for that of the resource itself */
    public record Subresource(String name, String group, String version, String kind, List<String> verbs) {}

    /** {@code pods}, {@code deployments.apps}. */
    public String qualified() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    public String apiVersion(String version) {
        return group.isEmpty() ? version : group + "/" + version;
    }

    public boolean isCustom() {
        return custom != null;
    }

    /** In which objects are stored. Of a built-in type, whose versions differ in nothing here, any. */
    String storageVersion() {
        return custom == null ? versions.get(0) : custom.storage();
    }

    /** What a custom type says of one of its versions; null for built-in types. */
    public CustomType.@Nullable Version custom(String version) {
        return custom == null ? null : custom.versions().get(version);
    }

    public boolean hasSubresource(String name) {
        return subresources.containsKey(name);
    }

    /** Whether the server counts changes of the specification in {@code metadata.generation}. */
    public boolean hasGeneration() {
        return isCustom() || Generations.COUNTED.contains(qualified());
    }

    /** Where the objects stand in the store, which decides the order of a list. */
    String key(@Nullable String namespace, String name) {
        return namespaced ? namespace + "/" + name : name;
    }

    @Override
    public String toString() {
        return qualified();
    }

    private static final class Generations {
        private static final Set<String> COUNTED = Set.of(
                "pods", "podtemplates", "replicationcontrollers", "deployments.apps", "daemonsets.apps", "statefulsets.apps", "replicasets.apps",
                "jobs.batch", "cronjobs.batch", "ingresses.networking.k8s.io", "ingressclasses.networking.k8s.io",
                "networkpolicies.networking.k8s.io", "poddisruptionbudgets.policy", "endpointslices.discovery.k8s.io",
                "priorityclasses.scheduling.k8s.io", "customresourcedefinitions.apiextensions.k8s.io",
                "flowschemas.flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io",
                "mutatingwebhookconfigurations.admissionregistration.k8s.io", "validatingwebhookconfigurations.admissionregistration.k8s.io",
                "mutatingadmissionpolicies.admissionregistration.k8s.io", "mutatingadmissionpolicybindings.admissionregistration.k8s.io",
                "validatingadmissionpolicies.admissionregistration.k8s.io", "validatingadmissionpolicybindings.admissionregistration.k8s.io",
                "resourceslices.resource.k8s.io", "deviceclasses.resource.k8s.io");
    }
}
