package io.reactiveinformer.demo;

import io.kubernetes.client.openapi.models.V1Secret;
import io.reactiveinformer.json.InformerModule;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The fields that an update has changed, in a few words: {@code app image web:1 → web:2, replicas 1 → 3}. */
final class Difference {

    private static final JsonMapper MAPPER = JsonMapper.builder().addModule(new InformerModule()).build();

    /** Fields that change with others and say nothing more. */
    private static final Set<String> NOISE = Set.of("resourceVersion", "managedFields", "generation", "observedGeneration",
            "lastTransitionTime", "lastHeartbeatTime", "lastUpdateTime", "lastProbeTime", "imageID", "containerID",
            "kubectl.kubernetes.io/last-applied-configuration");

    /** Fields that people look for first, in this order. */
    private static final List<Pattern> FIRST = List.of(
            Pattern.compile(".*\\.image"), Pattern.compile(".*\\.restartCount"), Pattern.compile("replicas"));

    /** Values below such a path may be secret. */
    private static final Pattern PERHAPS_SECRET = Pattern.compile(".*env\\[.*|.*[pP]assword.*|.*[tT]oken.*|.*[sS]ecret.*");

    private static final Pattern CONTAINER = Pattern.compile("^.*?[cC]ontainer(?:Statuse)?s\\[([^\\]]*)\\]\\.");
    private static final List<String> KEYS = List.of("name", "type", "uid", "ip");
    private static final int AT_MOST = 3;
    private static final int LONGEST_VALUE = 40;

    private final boolean secret;
    private final Map<String, String> found = new LinkedHashMap<>();

    private Difference(boolean secret) {
        this.secret = secret;
    }

    /** The differences of two states of an object, of a model class or a tree. */
    static Difference between(@Nullable Object before, @Nullable Object after) {
        JsonNode one = MAPPER.valueToTree(before);
        JsonNode other = MAPPER.valueToTree(after);
        var difference = new Difference(after instanceof V1Secret || other.path("kind").asString("").equals("Secret"));
        difference.compare("", one, other);
        return difference;
    }

    /** Images, restarts and replicas, if they have changed. */
    String essentials() {
        return inOrder().filter(path -> rank(path) < FIRST.size()).map(this::words).collect(Collectors.joining(", "));
    }

    /** At most three changed fields, and how many there are besides; empty if no field has changed that people look for. */
    String summary() {
        String shown = inOrder().limit(AT_MOST).map(this::words).collect(Collectors.joining(", "));
        return found.size() <= AT_MOST ? shown : shown + ", " + (found.size() - AT_MOST) + " more";
    }

    private Stream<String> inOrder() {
        return found.keySet().stream().sorted(Comparator.comparingInt(Difference::rank));
    }

    private String words(String path) {
        return String.valueOf(found.get(path));
    }

    private void compare(String path, JsonNode before, JsonNode after) {
        if (before.equals(after)) {
            return;
        }
        boolean part = path.isEmpty(); // a part such as the status may be missing as a whole
        if (part || before.isObject() && after.isObject()) {
            var names = new LinkedHashSet<>(after.propertyNames());
            names.addAll(before.propertyNames());
            names.removeAll(NOISE);
            names.forEach(name -> compare(below(path, name), before.path(name), after.path(name)));
            return;
        }
        String key = before.isArray() && after.isArray() ? keyOf(before, after) : null;
        if (key == null) {
            found.put(path, change(path, shown(path), before, after));
        } else {
            compareElements(path, byKey(before, key), byKey(after, key));
        }
    }

    private void compareElements(String path, Map<String, JsonNode> before, Map<String, JsonNode> after) {
        var keys = new LinkedHashSet<>(after.keySet());
        keys.addAll(before.keySet());
        for (String key : keys) {
            String element = path + "[" + key + "]";
            JsonNode one = before.get(key);
            JsonNode other = after.get(key);
            if (one != null && other != null && path.equals("conditions")) {
                compare(element, one.path("status"), other.path("status"));
            } else if (one != null && other != null) {
                compare(element, one, other);
            } else {
                found.put(element, element + (one == null ? " added" : " removed"));
            }
        }
    }

    /** The path without the three parts that all objects have. */
    private static String below(String path, String name) {
        return path.isEmpty() && Set.of("metadata", "spec", "status").contains(name) ? "" : path.isEmpty() ? name : path + "." + name;
    }

    /** The field that tells the elements of both arrays apart; null if there is none. */
    private static @Nullable String keyOf(JsonNode before, JsonNode after) {
        return KEYS.stream().filter(key -> hasKeys(before, key) && hasKeys(after, key)).findFirst().orElse(null);
    }

    private static boolean hasKeys(JsonNode array, String key) {
        return byKey(array, key).size() == array.size();
    }

    private static Map<String, JsonNode> byKey(JsonNode array, String key) {
        var elements = new LinkedHashMap<String, JsonNode>();
        array.forEach(element -> {
            if (element.path(key).isString()) {
                elements.put(element.path(key).asString(), element);
            }
        });
        return elements;
    }

    /** {@code app image} of {@code template.spec.containers[app].image}: containers are known by their names. */
    private static String shown(String path) {
        return CONTAINER.matcher(path).replaceFirst("$1 ").replace(" restartCount", " restarts");
    }

    private String change(String path, String name, JsonNode before, JsonNode after) {
        boolean hidden = secret || PERHAPS_SECRET.matcher(path).matches();
        if (before.isMissingNode() || before.isNull()) {
            return name + (hidden || after.isContainer() ? " added" : " → " + text(after));
        }
        if (after.isMissingNode() || after.isNull()) {
            return name + " removed";
        }
        return name + (hidden || before.isContainer() || after.isContainer() ? " changed" : " " + text(before) + " → " + text(after));
    }

    private static String text(JsonNode value) {
        String text = value.asString("");
        return text.isEmpty() ? "\"\"" : text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE - 1) + "…";
    }

    private static int rank(String path) {
        for (int i = 0; i < FIRST.size(); i++) {
            if (FIRST.get(i).matcher(path).matches()) {
                return i;
            }
        }
        return FIRST.size();
    }
}
