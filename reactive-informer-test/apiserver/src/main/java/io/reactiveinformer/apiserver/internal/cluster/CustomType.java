package io.reactiveinformer.apiserver.internal.cluster;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a CustomResourceDefinition says beside names, by version.
 *
 * @param storage the version in which objects are stored
 */
public record CustomType(String storage, Map<String, Version> versions) {

    /**
     * @param schema {@code openAPIV3Schema}; missing where there is none
     * @param asStored whether its schema is that of the version in which objects are stored
     * @param scale null if it has none, or does not say where
     * @param warning sent with each answer of a deprecated version; empty otherwise
     */
    public record Version(String name, boolean served, JsonNode schema, boolean asStored, List<Column> columns, @Nullable Scale scale, String warning) {}

    /**
     * Where an object says how many it wants and has, such as {@code .spec.replicas}.
     *
     * @param labelSelector empty if it does not say of what
     */
    public record Scale(String specReplicas, String statusReplicas, String labelSelector) {}

    /** One of {@code additionalPrinterColumns}. */
    public record Column(String name, String type, String format, String description, int priority, String jsonPath) {}
}
