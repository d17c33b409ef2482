package io.reactiveinformer.apiserver;

import io.reactiveinformer.apiserver.internal.schema.FieldRules;
import io.reactiveinformer.internal.protobuf.Messages;
import io.reactiveinformer.internal.protobuf.Messages.Count;
import io.reactiveinformer.internal.protobuf.Messages.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Changes objects of built-in types at random places: valid and invalid values, missing and unknown fields, repeated items. */
final class Mutations {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int DEEPEST = 3;
    private static final String[] TEXTS = {"", "a", "b", "web", "UPPER", "with space", "a.b", "-x", "x-", "x_y", "a/b", "é", "0", "1Gi", "-1", "1.5",
        "100%", "101%", "10.0.0.1", "010.0.0.1", "::1", "10.0.0.0/24", "http", "80", "None", "Always", "TCP", "/etc", "../x", "a//b",
        "*.example.com", "example.com/a", "kubernetes.io/x", "a".repeat(64), "a".repeat(254), "2024-01-01T00:00:00Z", "default", "cpu"};
    private static final String[] QUANTITIES = {"1", "100m", "1Gi", "0", "-1", "1.5", "1e3", "abc", "", "1 Gi", "0.0001", "5k"};
    private static final long[] NUMBERS = {0, -1, 1, 2, 15, 80, 101, 65_535, 65_536, Integer.MAX_VALUE, Integer.MAX_VALUE + 1L};

    private final Random random;

    Mutations(Random random) {
        this.random = random;
    }

    /** A value in an object or a list. {@code message} is the type of the object that has it; null if that is not known. */
    private record Place(JsonNode parent, String key, int index, @Nullable String message, @Nullable Field field) {
        JsonNode value() {
            return parent.isObject() ? parent.path(key) : parent.path(index);
        }

        void set(JsonNode value) {
            if (parent instanceof ObjectNode object) {
                object.set(key, value);
            } else {
                ((ArrayNode) parent).set(index, value);
            }
        }

        void remove() {
            if (parent instanceof ObjectNode object) {
                object.remove(key);
            } else {
                ((ArrayNode) parent).remove(index);
            }
        }
    }

    /** An object whose fields are known. */
    private record Part(ObjectNode object, String message) {}

    /** Changes the object at one place. */
    void change(ObjectNode object) {
        List<Place> places = new ArrayList<>();
        List<Part> parts = new ArrayList<>();
        collect(object, object.path("apiVersion").asString() + "." + object.path("kind").asString(), places, parts);
        places.removeIf(place -> place.parent() == object && List.of("apiVersion", "kind").contains(place.key()));
        if (places.isEmpty() || random.nextInt(5) == 0) {
            add(parts.get(random.nextInt(parts.size())));
        } else {
            change(places.get(random.nextInt(places.size())));
        }
    }

    private static void collect(ObjectNode object, @Nullable String message, List<Place> places, List<Part> parts) {
        if (message != null) {
            parts.add(new Part(object, message));
        }
        Map<String, Field> fields = message == null ? Map.of() : Messages.builtIn().inJson(message);
        object.properties().forEach(entry -> {
            Field field = fields.get(entry.getKey());
            places.add(new Place(object, entry.getKey(), 0, message, field));
            String type = field != null && Messages.builtIn().find(field.type()).isPresent() ? field.type() : null;
            if (field != null && field.count() == Count.MAP) {
                entry.getValue().propertyStream().forEach(each -> {
                    places.add(new Place(entry.getValue(), each.getKey(), 0, message, field));
                    collect(each.getValue(), type, places, parts);
                });
            } else if (entry.getValue().isArray()) {
                for (int i = 0; i < entry.getValue().size(); i++) {
                    places.add(new Place(entry.getValue(), "", i, message, field));
                    collect(entry.getValue().path(i), type, places, parts);
                }
            } else {
                collect(entry.getValue(), type, places, parts);
            }
        });
    }

    private static void collect(JsonNode value, @Nullable String message, List<Place> places, List<Part> parts) {
        if (value instanceof ObjectNode object) {
            collect(object, message, places, parts);
        }
    }

    private void add(Part part) {
        List<Field> unset = new ArrayList<>(Messages.builtIn().inJson(part.message()).values());
        unset.removeIf(field -> part.object().has(field.name()) || List.of("status", "managedFields").contains(field.name()));
        if (unset.isEmpty() || random.nextInt(8) == 0) {
            part.object().put("unknownField", "x");
            return;
        }
        unset.sort(java.util.Comparator.comparing(Field::name));
        Field field = unset.get(random.nextInt(unset.size()));
        part.object().set(field.name(), value(part.message(), field, 0));
    }

    private void change(Place place) {
        switch (random.nextInt(12)) {
            case 0, 1 -> place.remove();
            case 2 -> place.set(JSON.nullNode());
            case 3 -> place.set(wrongType());
            case 4, 5 -> repeat(place);
            case 6 -> rename(place);
            case 7 -> place.set(place.value().isArray() ? JSON.arrayNode() : place.value().isObject() ? JSON.objectNode() : JSON.stringNode(""));
            default -> {
                if (place.field() == null || place.message() == null) {
                    place.set(JSON.stringNode(text()));
                } else if (place.parent().isArray() || place.field().count() == Count.MAP && !place.key().equals(place.field().name())) {
                    place.set(one(place.message(), place.field(), 0));
                } else {
                    place.set(value(place.message(), place.field(), 0));
                }
            }
        }
    }

    private void repeat(Place place) {
        if (place.value() instanceof ArrayNode list && !list.isEmpty()) {
            list.add(list.path(random.nextInt(list.size())).deepCopy());
        } else if (place.parent() instanceof ArrayNode list) {
            list.add(place.value().deepCopy());
        } else if (place.field() != null && place.message() != null) {
            place.set(value(place.message(), place.field(), 0));
        }
    }

    private void rename(Place place) {
        if (place.parent() instanceof ObjectNode object) {
            JsonNode value = place.value();
            object.remove(place.key());
            object.set(place.field() != null && place.field().name().equals(place.key()) ? place.key() + "X" : text(), value);
        } else {
            place.set(JSON.stringNode(text()));
        }
    }

    private JsonNode value(String message, Field field, int depth) {
        if (field.count() == Count.LIST) {
            ArrayNode list = JSON.arrayNode();
            for (int i = random.nextInt(2); i >= 0; i--) {
                list.add(one(message, field, depth));
            }
            return list;
        }
        return field.count() == Count.MAP ? JSON.objectNode().<ObjectNode>set(text(), one(message, field, depth)) : one(message, field, depth);
    }

    private JsonNode one(String message, Field field, int depth) {
        List<String> allowed = FieldRules.of(message, field.name()).allowed();
        if (!allowed.isEmpty() && random.nextInt(3) > 0) {
            return JSON.stringNode(allowed.get(random.nextInt(allowed.size())));
        }
        return switch (field.type()) {
            case "string" -> JSON.stringNode(text());
            case "int32", "int64", "float64" -> number();
            case "bool" -> JSON.booleanNode(random.nextBoolean());
            case "bytes" -> JSON.stringNode(random.nextInt(3) == 0 ? text() : "AAEC");
            case "Quantity" -> JSON.stringNode(QUANTITIES[random.nextInt(QUANTITIES.length)]);
            case "IntOrString" -> random.nextBoolean() ? number() : JSON.stringNode(text());
            case "Time", "MicroTime" -> JSON.stringNode(random.nextInt(3) == 0 ? text() : "2024-01-01T00:00:00Z");
            default -> Messages.builtIn().find(field.type()).isEmpty() ? wrongType() : part(field.type(), depth + 1);
        };
    }

    private ObjectNode part(String message, int depth) {
        ObjectNode part = JSON.objectNode();
        List<Field> fields = new ArrayList<>(Messages.builtIn().inJson(message).values());
        fields.sort(java.util.Comparator.comparing(Field::name));
        fields.stream().filter(field -> depth < DEEPEST && random.nextInt(fields.size() + 1) < 2)
                .forEach(field -> part.set(field.name(), value(message, field, depth)));
        return part;
    }

    private JsonNode wrongType() {
        return switch (random.nextInt(7)) {
            case 0 -> JSON.objectNode();
            case 1 -> JSON.arrayNode();
            case 2 -> JSON.numberNode(1.5);
            case 3 -> JSON.booleanNode(true);
            case 4 -> JSON.stringNode("text");
            case 5 -> JSON.arrayNode().add("x");
            default -> number();
        };
    }

    private JsonNode number() {
        long number = NUMBERS[random.nextInt(NUMBERS.length)];
        return number == (int) number ? JSON.numberNode((int) number) : JSON.numberNode(number);
    }

    private String text() {
        return TEXTS[random.nextInt(TEXTS.length)];
    }
}
