package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.cel.SchemaRules;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The versions of a CustomResourceDefinition, by name.
 *
 * @param storage the version in which objects are stored
 * @param conversion null if versions differ in nothing but their fields
 */
public record CustomType(String storage, Map<String, Version> versions, @Nullable Conversion conversion) {

    /**
     * One version.
     *
     * @param schema {@code openAPIV3Schema}; missing if there is none
     * @param asStored whether its schema is that of the version in which objects are stored
     * @param rules the rules of its schema
     * @param columns {@code additionalPrinterColumns}; missing if there are none
     * @param scale the paths of wanted and actual replicas in an object, such as {@code .spec.replicas}; missing if it has none
     * @param warning sent with each answer of a deprecated version; empty otherwise
     */
    public record Version(String name, boolean served, JsonNode schema, SchemaRules rules, boolean asStored, JsonNode columns,
            JsonNode scale, String warning) {}
}
