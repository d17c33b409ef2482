package io.reactiveinformer.spring;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.NativeDetector;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Refuses properties of an informer, or of a topic, that do not exist. Spring Boot ignores them, and an informer whose {@code labels} are
 * misspelt would watch everything. Names are compared as Spring Boot binds them: {@code warm-start}, {@code warmStart} and
 * {@code WARMSTART} are one.
 *
 * <p>Above the informers only a name that is nearly one of ours is refused, since other modules have properties there too, and Kubernetes
 * sets variables such as {@code REACTIVEINFORMER_SERVICE_HOST} for a Service of that name.
 */
final class StrictNames {

    private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of(ReactiveInformerProperties.PREFIX);
    private static final ConfigurationPropertyName INFORMERS = OURS.append("informers");
    private static final int NAME = INFORMERS.getNumberOfElements();
    private static final int PROPERTY = NAME + 1;
    private static final Map<String, RecordComponent> OF_AN_INFORMER = components(ReactiveInformerProperties.Declared.class);
    private static final Map<String, RecordComponent> OF_ALL = components(ReactiveInformerProperties.class);
    private static final ConfigurationPropertyName KAFKA = OURS.append("kafka");
    private static final Map<String, RecordComponent> OF_KAFKA = components(KafkaProperties.class);
    private static final Map<String, RecordComponent> OF_A_TOPIC = components(KafkaProperties.Topic.class);

    private static final String VARIABLES = "REACTIVEINFORMER_";
    private static final Pattern VARIABLE = Pattern.compile("REACTIVE(_)?INFORMER_(\\w+)", Pattern.CASE_INSENSITIVE);

    private StrictNames() {}

    /** By the name in the form that Spring Boot compares: lower case, without dashes. In the order of declaration. */
    private static Map<String, RecordComponent> components(Class<? extends Record> type) {
        Map<String, RecordComponent> components = new LinkedHashMap<>();
        Arrays.stream(type.getRecordComponents()).forEach(one -> components.put(one.getName().toLowerCase(Locale.ROOT), one));
        return components;
    }

    /** @throws InformerConfigurationException if a property does not exist; proposes the one that may be meant */
    static void check(Environment environment) {
        if (NativeDetector.inNativeImage()) {
            return; // without records' components; names were checked when the image was built
        }
        Map<String, String> wrong = new TreeMap<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            SystemEnvironmentPropertySource ofSystem = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource system
                    ? system : null;
            if (ofSystem != null) {
                for (String variable : ofSystem.getPropertyNames()) {
                    String instead = insteadOfVariable(variable);
                    if (instead != null) {
                        wrong.putIfAbsent("There is no property for the environment variable " + variable, "Write " + instead + ".");
                    }
                }
            }
            if (source instanceof IterableConfigurationPropertySource names) {
                boolean variables = ofSystem != null;
                names.stream().forEach(name -> {
                    String instead = instead(name, variables);
                    if (instead != null) {
                        wrong.putIfAbsent(describe(source.getConfigurationProperty(name), name), instead);
                    }
                });
            }
        }
        if (!wrong.isEmpty()) {
            throw new InformerConfigurationException(
                    wrong.keySet().stream().collect(Collectors.joining("\n")),
                    wrong.values().stream().distinct().collect(Collectors.joining("\n")));
        }
    }

    private static String describe(@Nullable ConfigurationProperty property, ConfigurationPropertyName name) {
        String origin = property == null || property.getOrigin() == null ? "" : " (" + property.getOrigin() + ")";
        return "There is no property " + name + origin;
    }

    /** What to write instead of {@code name}; null if it is right, or not ours. */
    private static @Nullable String instead(ConfigurationPropertyName name, boolean variable) {
        if (INFORMERS.isAncestorOf(name)) {
            return name.getNumberOfElements() == PROPERTY ? null : ofAnInformer(name, variable);
        }
        if (KAFKA.isAncestorOf(name)) {
            return ofKafka(name);
        }
        return OURS.isAncestorOf(name) && !variable ? nearlyOurs(name) : null;
    }

    /**
     * What to write instead of the environment variable {@code name}, if it is nearly a property above the informers, or if it has
     * underscores where Spring Boot expects none: after {@code REACTIVE_INFORMER_} it takes one for each dash, but finds no entry of a map.
     */
    private static @Nullable String insteadOfVariable(String name) {
        Matcher parts = VARIABLE.matcher(name);
        if (!parts.matches()) {
            return null;
        }
        boolean dashed = parts.group(1) != null;
        String rest = parts.group(2).toLowerCase(Locale.ROOT);
        String bare = rest.replaceFirst("(_\\d*)+$", "");
        String whole = bare.replace("_", "");
        RecordComponent known = OF_ALL.get(whole);
        if (known != null) {
            return bare.equals(dashed ? dashed(known).replace('-', '_') : whole) ? null : VARIABLES + whole.toUpperCase(Locale.ROOT);
        }
        String first = rest.replaceFirst("_.*", "");
        if (OF_ALL.containsKey(first) || first.equals("kafka")) {
            boolean map = rest.startsWith("informers_") || rest.startsWith("kafka_") && !bare.equals("kafka_bootstrap_servers");
            return dashed && map ? VARIABLES + parts.group(2).toUpperCase(Locale.ROOT) : null;
        }
        List<String> near = Spelling.nearest(whole, OF_ALL.keySet());
        near = near.isEmpty() ? Spelling.nearest(first, OF_ALL.keySet()) : near;
        return near.isEmpty()
                ? null : near.stream().map(one -> VARIABLES + one.toUpperCase(Locale.ROOT)).collect(Collectors.joining(" or "));
    }

    private static @Nullable String nearlyOurs(ConfigurationPropertyName name) {
        String property = name.getElement(OURS.getNumberOfElements(), Form.UNIFORM);
        if (OF_ALL.containsKey(property)) {
            return null;
        }
        List<String> near = Spelling.nearest(property, OF_ALL.keySet());
        return near.isEmpty() ? null : write(OURS.toString(), near, OF_ALL);
    }

    private static @Nullable String ofKafka(ConfigurationPropertyName name) {
        int first = KAFKA.getNumberOfElements();
        String property = name.getElement(first, Form.UNIFORM);
        if (!OF_KAFKA.containsKey(property)) {
            return instead(KAFKA.toString(), property, OF_KAFKA);
        }
        if (!property.equals("views") || name.getNumberOfElements() < first + 3) {
            return null;
        }
        String ofTopic = name.getElement(first + 2, Form.UNIFORM);
        return OF_A_TOPIC.containsKey(ofTopic) && name.getNumberOfElements() == first + 3
                ? null
                : instead(KAFKA + ".views." + name.getElement(first + 1, Form.ORIGINAL), ofTopic, OF_A_TOPIC);
    }

    private static String instead(String above, String property, Map<String, RecordComponent> components) {
        List<String> near = Spelling.nearest(property, components.keySet());
        return near.isEmpty()
                ? "Below " + above + " are the properties " + components.values().stream().map(StrictNames::dashed)
                        .collect(Collectors.joining(", ")) + "."
                : write(above, near, components);
    }

    private static @Nullable String ofAnInformer(ConfigurationPropertyName name, boolean variable) {
        String property = name.getElement(PROPERTY, Form.UNIFORM);
        String informer = INFORMERS + "." + name.getElement(NAME, Form.ORIGINAL);
        RecordComponent known = OF_AN_INFORMER.get(property);
        int deeper = name.getNumberOfElements() - PROPERTY - 1;
        if (known != null) {
            boolean list = known.getType() == List.class;
            if (deeper == 0 || list && deeper == 1 && name.isNumericIndex(PROPERTY + 1)) {
                return null;
            }
            return informer + "." + dashed(known) + (list
                    ? " takes a list of texts."
                    : " takes one text, such as " + informer + "." + dashed(known) + ": " + example(dashed(known)) + ".");
        }
        String whole = Stream.iterate(PROPERTY, at -> at + 1).limit(deeper + 1L).filter(at -> !name.isNumericIndex(at))
                .map(at -> name.getElement(at, Form.UNIFORM)).collect(Collectors.joining());
        List<String> near = Spelling.nearest(whole, OF_AN_INFORMER.keySet());
        near = near.isEmpty() ? Spelling.nearest(property, OF_AN_INFORMER.keySet()) : near;
        String instead = near.isEmpty()
                ? "An informer has the properties " + OF_AN_INFORMER.values().stream().map(StrictNames::dashed)
                        .collect(Collectors.joining(", ")) + "."
                : write(informer, near, OF_AN_INFORMER);
        return variable && (deeper > 0 || near.isEmpty())
                ? instead + " In the name of an environment variable, leave out dashes, also those of the informer's name."
                : instead;
    }

    private static String write(String above, List<String> near, Map<String, RecordComponent> components) {
        return near.stream().map(components::get).map(one -> above + "." + dashed(one)).collect(Collectors.joining(" or ", "Write ", "."));
    }

    private static String example(String property) {
        return switch (property) {
            case "labels" -> "app=web,tier!=db";
            case "fields" -> "spec.nodeName=n1";
            case "type" -> "V1Pod";
            default -> "…";
        };
    }

    private static String dashed(RecordComponent component) {
        return component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** Finds what a misspelt name was meant to be. */
    static final class Spelling {

        /** Longer names are compared by their beginning only: the comparison takes the product of both lengths. */
        private static final int LONGEST = 100;

        private Spelling() {}

        /**
         * The names that differ least from {@code word}, in their order; none if each differs by more than a third of its letters, and more
         * than two.
         */
        static List<String> nearest(String word, Collection<String> names) {
            Map<Integer, List<String>> near = names.stream()
                    .filter(name -> distance(word, name) <= Math.max(Math.min(2, name.length() / 2), name.length() / 3))
                    .collect(Collectors.groupingBy(name -> distance(word, name), TreeMap::new, Collectors.toList()));
            return near.isEmpty() ? List.of() : near.values().iterator().next();
        }

        /**
         * The least number of letters that are inserted, removed, replaced, or swapped with their neighbour; upper and lower case are
         * equal.
         */
        static int distance(String one, String other) {
            String a = cut(one);
            String b = cut(other);
            int[][] costs = new int[a.length() + 1][b.length() + 1];
            for (int i = 0; i <= a.length(); i++) {
                for (int j = 0; j <= b.length(); j++) {
                    if (i == 0 || j == 0) {
                        costs[i][j] = i + j;
                        continue;
                    }
                    int replaced = costs[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                    costs[i][j] = Math.min(replaced, 1 + Math.min(costs[i - 1][j], costs[i][j - 1]));
                    if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                        costs[i][j] = Math.min(costs[i][j], costs[i - 2][j - 2] + 1);
                    }
                }
            }
            return costs[a.length()][b.length()];
        }

        private static String cut(String word) {
            return word.substring(0, Math.min(word.length(), LONGEST)).toLowerCase(Locale.ROOT);
        }
    }
}
