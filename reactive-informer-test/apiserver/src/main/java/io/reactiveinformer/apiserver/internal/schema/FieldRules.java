package io.reactiveinformer.apiserver.internal.schema;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the server requires of single fields of built-in types, from the table {@code rules.txt}, which is read once.
 *
 * @param words what the table says of the field: {@code go}, the type as Go prints it in messages; {@code required}, with the detail of the
 *     refusal; {@code format}, the rule of a text or number; {@code immutable}; {@code disabled}, if it belongs to a feature that is off,
 *     so that the server drops it; {@code even-empty}; {@code unique}, the field that no two items share; {@code rank}, its place among the
 *     fields that are checked; {@code whole-first}, if it is checked before its parts
 * @param allowed the values that are allowed; empty for all
 * @param presets its default values, of which the first that applies is used
 * @param bounds limits by name: {@code minimum}, {@code maximum}, {@code maxItems}, {@code maxLength}, {@code from}, {@code to}
 */
public record FieldRules(Map<String, String> words, List<String> allowed, List<Preset> presets, Map<String, Integer> bounds) {

    private static final FieldRules NONE = new FieldRules(Map.of(), List.of(), List.of(), Map.of());
    private static final Pattern PRESET = Pattern.compile("default(?:\\[(\\w+)=(\\w*)])?=(.*)");
    private static final Set<String> BOUNDS = Set.of("minimum", "maximum", "maxItems", "maxLength");
    private static final Map<String, Map<String, FieldRules>> TABLE = load();

    /**
     * A default value.
     *
     * @param field another field on which it depends; empty if it depends on none
     * @param expected the value of that field; empty if it must be unset
     */
    public record Preset(String field, String expected, JsonNode value) {

        private static Preset of(Matcher word) {
            return new Preset(Objects.requireNonNullElse(word.group(1), ""), Objects.requireNonNullElse(word.group(2), ""),
                    new JsonMapper().readTree(word.group(3)));
        }
    }

    /** Reads the table, unless it has been read. */
    public static void prepare() {
        of("", "");
    }

    /** The rules of a field of a message such as {@code v1.Container}. */
    public static FieldRules of(String message, String field) {
        return TABLE.getOrDefault(message, Map.of()).getOrDefault(field, NONE);
    }

    public boolean has(String word) {
        return words.containsKey(word);
    }

    /** What follows a word; empty if there is nothing. */
    public String get(String word) {
        return words.getOrDefault(word, "");
    }

    private static Map<String, Map<String, FieldRules>> load() {
        Map<String, Map<String, FieldRules>> table = new HashMap<>();
        Map<String, FieldRules> fields = new HashMap<>();
        for (String line : Resources.text(FieldRules.class, "rules.txt").split("\n", -1)) {
            if (line.startsWith(" ")) {
                List<String> words = List.of(line.trim().split(" ", -1));
                fields.put(words.get(0), parse(words));
            } else if (!line.startsWith("#")) {
                fields = table.computeIfAbsent(line, message -> new HashMap<>());
            }
        }
        return table;
    }

    private static FieldRules parse(List<String> words) {
        Map<String, String> said = new HashMap<>();
        words.stream().skip(1).map(word -> word.split("=", 2)).forEach(word -> said.put(word[0], word.length == 1 ? "" : word[1]));
        Map<String, Integer> bounds = new HashMap<>();
        if (said.containsKey("range")) {
            List.of("from", "to").forEach(end -> bounds.put(end, Integer.valueOf(said.get("range").split("-", 2)[bounds.size()])));
        }
        BOUNDS.stream().filter(said::containsKey).forEach(bound -> bounds.put(bound, Integer.valueOf(said.get(bound))));
        return new FieldRules(Map.copyOf(said),
                said.containsKey("enum") ? List.of(said.get("enum").replace('~', ' ').split(",", -1)) : List.of(),
                words.stream().map(PRESET::matcher).filter(Matcher::matches).map(Preset::of).toList(), bounds);
    }
}
