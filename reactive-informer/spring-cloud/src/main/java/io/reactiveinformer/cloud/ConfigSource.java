package io.reactiveinformer.cloud;

import io.reactiveinformer.cloud.ConfigKind.Entries;
import io.reactiveinformer.cloud.ConfigLimits.ExceededException;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.NotSyncedException;
import io.reactiveinformer.resource.ObjectKey;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.logging.Log;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.config.ConfigDataResourceNotFoundException;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import reactor.core.Disposable;

/**
 * The properties of one file of one ConfigMap or Secret; those of {@link #APPLICATION} include the entries that are no files. Read from
 * memory at each load, after a wait for the first list, which ends at a deadline that the sources of a start share.
 *
 * <p>A load at the start fails if the object is absent or cannot be read. A later load, which is a refresh, then answers with the last good
 * properties. So a refresh accepts exactly those states with which the application would also start.
 */
final class ConfigSource extends KubernetesConfigData.Imported {

    static final String APPLICATION = "application";

    private static final Pattern FILE = Pattern.compile(APPLICATION + "(-.*)?\\.(properties|yml|yaml)");
    private static final Pattern PLACE = Pattern.compile("line \\d+, column \\d+");

    /** In ascending order, as in Spring Boot. */
    private static final Map<String, PropertySourceLoader> LOADERS = new LinkedHashMap<>();

    static {
        LOADERS.put(".yml", new YamlPropertySourceLoader());
        LOADERS.put(".yaml", new YamlPropertySourceLoader());
        LOADERS.put(".properties", new PropertiesPropertySourceLoader());
    }

    /** Differs from each state of an object, since no entry has an empty name. */
    private static final Entries UNKNOWN = new Entries(Map.of("", ""), Map.of());

    private final ConfigKind kind;
    private final ObjectKey key;
    private final String file;
    private final Informer<Entries> informer;
    private final long deadline;
    private final Disposable watch;
    private boolean optional; // the import of the last generation: guarded by this
    private boolean absentIsFine;
    private int generation = -1;
    private volatile boolean loaded;
    private volatile @Nullable Entries seen; // null if the object did not exist
    private @Nullable List<PropertySource<?>> lastGood; // used by the thread that starts the application, then by one refresh at a time

    /**
     * @param deadline of the wait for the first list, in {@link System#nanoTime}
     * @param watch ends the informer
     */
    ConfigSource(ConfigKind kind, ObjectKey key, String file, Informer<Entries> informer, long deadline, Disposable watch) {
        this.kind = kind;
        this.key = key;
        this.file = file;
        this.informer = informer;
        this.deadline = deadline;
        this.watch = watch;
    }

    /** An import names this source. Within a generation, each flag holds only if all imports have it. */
    synchronized void importedBy(int generation, boolean optional, boolean absentIsFine) {
        boolean first = this.generation != generation;
        this.generation = generation;
        this.optional = optional && (first || this.optional);
        this.absentIsFine = absentIsFine && (first || this.absentIsFine);
    }

    synchronized int generation() {
        return generation;
    }

    private synchronized boolean optional() {
        return optional;
    }

    private synchronized boolean absentIsFine() {
        return absentIsFine;
    }

    void end() {
        watch.dispose();
    }

    /** What was loaded last did not reach the application: this source is stale until it is loaded again. */
    void markStale() {
        seen = UNKNOWN;
    }

    /** Whether the object differs from what was loaded last. */
    boolean isStale() {
        return loaded && !Objects.equals(seen, current());
    }

    private @Nullable Entries current() {
        return informer.lister().get(key).orElse(null);
    }

    /**
     * The properties in ascending order of priority. A source of each name that was returned before is returned again, perhaps empty:
     * Spring Cloud's refresh replaces sources by name, and removes none.
     *
     * @throws ConfigDataResourceNotFoundException if the object is absent at the start and must not be
     * @throws ConfigNotReadException if it cannot be read at the start
     */
    @Override
    List<PropertySource<?>> load(Log log) {
        if (!loaded) {
            awaitFirstList(log);
        }
        loaded = true;
        Entries now = current();
        seen = now;
        if (now == null && !absentIsFine()) {
            if (lastGood == null) {
                throw new ConfigDataResourceNotFoundException(this);
            }
            log.warn(this + " was deleted: its last properties stay until it is created again");
            return lastGood;
        }
        try {
            lastGood = padded(parsed(now == null ? Entries.NONE : now));
        } catch (ConfigNotReadException bad) {
            if (lastGood == null) {
                throw bad;
            }
            log.warn(bad.getMessage() + ". The last good properties stay");
        }
        return lastGood;
    }

    private void awaitFirstList(Log log) {
        try {
            if (!informer.hasSynced()) {
                informer.synced(Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime()))).block(); // 1 ms: for the reason
            }
        } catch (NotSyncedException late) {
            if (!optional()) {
                throw new ConfigNotReadException("cannot read " + this + ": " + late.getMessage(),
                        "Correct the cause, or import it with the prefix optional:, or wait longer with " + CloudProperties.PREFIX
                                + ".first-list-timeout.");
            }
            log.warn("starts without the properties of " + this + ", which are used once they can be read: " + late.getMessage());
        }
    }

    private List<PropertySource<?>> parsed(Entries entries) {
        List<Map<String, Object>> all = new ArrayList<>();
        var limits = new ConfigLimits();
        LOADERS.forEach((extension, loader) -> {
            String name = file + extension;
            if (entries.has(name)) {
                all.addAll(documents(name, loader, entries, limits));
            }
        });
        if (file.equals(APPLICATION)) {
            all.add(others(entries, limits));
        }
        try {
            Placeholders.check(all);
        } catch (ExceededException exceeded) {
            throw new ConfigNotReadException("does not use " + this + ": " + exceeded.getMessage(), "Correct its placeholders, ${…}.");
        }
        List<PropertySource<?>> sources = new ArrayList<>();
        all.forEach(properties -> sources.add(source(sources.size(), properties)));
        return sources;
    }

    private List<Map<String, Object>> documents(String name, PropertySourceLoader loader, Entries entries, ConfigLimits limits) {
        try {
            String text = entries.file(name, kind);
            byte[] bytes;
            if (loader instanceof PropertiesPropertySourceLoader) {
                limits.addProperties(text);
                bytes = escaped(text).getBytes(StandardCharsets.ISO_8859_1);
            } else {
                YamlSize.count(text, limits);
                bytes = text.getBytes(StandardCharsets.UTF_8);
            }
            return loader.load(name, new ByteArrayResource(bytes, name + " of " + object())).stream()
                    .map(document -> ((OriginTrackedMapPropertySource) document).getSource()).toList();
        } catch (ExceededException exceeded) {
            throw tooLarge(name, exceeded);
        } catch (CharacterCodingException bad) {
            throw new ConfigNotReadException("cannot parse " + name + " of " + object() + ": it is not UTF-8", "Save it as UTF-8.");
        } catch (IOException | RuntimeException bad) { // not kept as the cause: its message quotes the text
            Matcher place = PLACE.matcher(String.valueOf(bad.getMessage()));
            throw new ConfigNotReadException("cannot parse " + name + " of " + object() + (place.find() ? ", " + place.group() : ""),
                    "Correct this entry.");
        }
    }

    private ConfigNotReadException tooLarge(String name, ExceededException exceeded) {
        return new ConfigNotReadException("does not use " + name + " of " + object() + ": " + exceeded.getMessage(),
                "Divide it among several objects; an alias of YAML (*) repeats all that it stands for.");
    }

    /** For a parser that reads ISO-8859-1. */
    private static String escaped(String properties) {
        var text = new StringBuilder(properties.length());
        boolean escapes = false; // the character before was a backslash that is not itself escaped
        for (int i = 0; i < properties.length(); i++) {
            char character = properties.charAt(i);
            if (character <= 0xFF) {
                text.append(character);
            } else {
                text.append(escapes ? "" : "\\").append('u').append(HexFormat.of().toHexDigits(character));
            }
            escapes = character == '\\' && !escapes;
        }
        return text.toString();
    }

    private Map<String, Object> others(Entries entries, ConfigLimits limits) {
        Map<String, Object> properties = new LinkedHashMap<>();
        entries.data().forEach((name, value) -> {
            if (!FILE.matcher(name).matches()) {
                try {
                    limits.add(1, name.length() + value.length(), name.length());
                } catch (ExceededException exceeded) {
                    throw tooLarge(name, exceeded);
                }
                properties.put(name, OriginTrackedValue.of(kind.decoded(value), new Entry(name + " of " + object())));
            }
        });
        return properties;
    }

    private PropertySource<?> source(int index, Map<String, Object> properties) {
        return new OriginTrackedMapPropertySource(this + " #" + index, new Unprinted(properties), true);
    }

    private List<PropertySource<?>> padded(List<PropertySource<?>> sources) {
        int before = lastGood == null ? 0 : lastGood.size();
        while (sources.size() < before) {
            sources.add(source(sources.size(), Map.of()));
        }
        return sources;
    }

    private String object() {
        return kind + " " + key;
    }

    @Override
    public String toString() {
        return file.equals(APPLICATION) ? object() : object() + " (" + file + ")";
    }

    /** Where a property was found, for messages. */
    private record Entry(String description) implements Origin {

        @Override
        public String toString() {
            return description;
        }
    }

    /** At debug level, Spring logs the map of a property source. */
    private static final class Unprinted extends LinkedHashMap<String, Object> {
        private static final long serialVersionUID = 1L;

        Unprinted(Map<String, Object> properties) {
            super(properties);
        }

        @Override
        public String toString() {
            return keySet().toString();
        }
    }
}
