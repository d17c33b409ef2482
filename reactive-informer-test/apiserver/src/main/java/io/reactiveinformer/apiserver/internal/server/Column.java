package io.reactiveinformer.apiserver.internal.server;

import java.time.Instant;
import java.util.function.BiFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One column of a table.
 *
 * @param definition as tables show it: its name, type, format, description and priority
 * @param cell what it shows of an object now
 */
record Column(ObjectNode definition, BiFunction<JsonNode, Instant, JsonNode> cell) {}
