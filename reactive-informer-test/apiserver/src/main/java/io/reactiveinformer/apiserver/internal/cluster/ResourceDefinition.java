package io.reactiveinformer.apiserver.internal.cluster;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A type of object, as the server knows it. Two versions of one resource are one definition: they share objects.
 *
 * @param versions the served versions, the preferred one first
 * @param verbs the verbs of the resource itself
 * @param subresources the subresources by name, with their verbs
 * @param selectableFields the fields of field selectors, besides name and namespace; others are refused
 * @param hasGeneration whether the server counts changes of the specification in {@code metadata.generation}
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
        boolean hasGeneration,
        @Nullable CustomType custom) {

    /**
     * A subresource.
     *
     * @param group the group of its objects, such as {@code autoscaling} for a Scale; empty for the group of the resource itself
     */
    public record Subresource(String name, String group, String version, String kind, List<String> verbs) {}

    /** The plural with the group: {@code pods}, {@code deployments.apps}. */
    public String qualified() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    /** The {@code apiVersion} of objects in this version, with the group. */
    public String apiVersion(String version) {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Whether a CustomResourceDefinition defines this type. */
    public boolean isCustom() {
        return custom != null;
    }

    /** The version in which objects are stored. For a built-in type, whose versions do not differ here, any version. */
    String storageVersion() {
        return custom == null ? versions.get(0) : custom.storage();
    }

    /** Converts objects between versions; null if only their {@code apiVersion} changes. */
    @Nullable Conversion conversion() {
        return custom == null ? null : custom.conversion();
    }

    /** One version of a custom type; null for built-in types. */
    public CustomType.@Nullable Version custom(String version) {
        return custom == null ? null : custom.versions().get(version);
    }

    /** Whether there is a subresource of this name. */
    public boolean hasSubresource(String name) {
        return subresources.containsKey(name);
    }

    /** The key of an object in the store, which determines the order of a list. */
    String key(@Nullable String namespace, String name) {
        return namespaced ? namespace + "/" + name : name;
    }

    @Override
    public String toString() {
        return qualified();
    }
}
