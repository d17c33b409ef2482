package io.reactiveinformer.apiserver.internal.cluster;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The types that the server knows at one moment: the built-in ones, and those that CustomResourceDefinitions added. Immutable. */
public final class Types {

    private static final Types BUILT_IN = new Types(BuiltInTypes.load());

    private final Map<String, ResourceDefinition> byName;
    private final List<String> groups;

    private Types(Map<String, ResourceDefinition> byName) {
        this.byName = byName;
        this.groups = byName.values().stream().map(ResourceDefinition::group).distinct().toList();
    }

    static Types builtIn() {
        return BUILT_IN;
    }

    Types with(ResourceDefinition type) {
        Map<String, ResourceDefinition> more = new LinkedHashMap<>(byName);
        more.put(type.qualified(), type);
        return new Types(more);
    }

    Types without(String qualified) {
        Map<String, ResourceDefinition> fewer = new LinkedHashMap<>(byName);
        fewer.remove(qualified);
        return new Types(fewer);
    }

    /** All types. */
    public Collection<ResourceDefinition> all() {
        return byName.values();
    }

    /** The types that have objects of their own. */
    Collection<ResourceDefinition> stored() {
        return byName.values().stream().filter(type -> !EventForms.isLater(type)).toList();
    }

    /** The type under which the objects of {@code type} are stored: itself, unless two types have the same objects. */
    ResourceDefinition storing(ResourceDefinition type) {
        return EventForms.isLater(type) ? find("", "events").orElseThrow() : type;
    }

    /** The type of this group and plural; empty if there is none. */
    public Optional<ResourceDefinition> find(String group, String plural) {
        return Optional.ofNullable(byName.get(group.isEmpty() ? plural : plural + "." + group));
    }

    /** The type of objects with this group, version and kind; empty if it is not served. */
    public Optional<ResourceDefinition> find(String group, String version, String kind) {
        return byName.values().stream()
                .filter(type -> type.group().equals(group) && type.kind().equals(kind) && type.versions().contains(version))
                .findFirst();
    }

    /** The type of this kind; empty if it is not served in this version. */
    public Optional<ResourceDefinition> of(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        return find(apiVersion.substring(0, Math.max(0, slash)), apiVersion.substring(slash + 1), kind);
    }

    /**
     * The type of this object.
     *
     * @throws IllegalArgumentException if it is not served
     */
    public ResourceDefinition of(JsonNode object) {
        String apiVersion = Json.text(object, "apiVersion");
        String kind = Json.text(object, "kind");
        return of(apiVersion, kind)
                .orElseThrow(() -> new IllegalArgumentException("the server has no type for apiVersion \""
                        + apiVersion + "\", kind \"" + kind
                        + "\"; a custom one needs its CustomResourceDefinition first"));
    }

    /**
     * Checks that requests can be about {@code resource}, which is a plural, with or without its group and a subresource, or {@code *}.
     *
     * @throws IllegalArgumentException if no type has this name; the message says which one may be meant
     */
    public void require(String resource) {
        if (!resource.equals("*")) {
            ResourceNames.require(this, resource);
        }
    }

    /** All groups in the order of discovery, the core group first. */
    public List<String> groups() {
        return groups;
    }

    /** The versions that any type of the group serves, the preferred one first. */
    public List<String> versions(String group) {
        return byName.values().stream().filter(type -> type.group().equals(group)).flatMap(type -> type.versions().stream()).distinct()
                .toList();
    }

    /** The types of a group that are served in this version. */
    public List<ResourceDefinition> in(String group, String version) {
        return byName.values().stream().filter(type -> type.group().equals(group) && type.versions().contains(version)).toList();
    }
}
