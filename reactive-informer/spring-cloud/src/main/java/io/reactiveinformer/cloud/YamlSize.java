package io.reactiveinformer.cloud;

import io.reactiveinformer.cloud.ConfigLimits.ExceededException;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;

/**
 * How large a value of a YAML file is as properties, with its aliases repeated. The size of an anchor's value is known when an alias of it
 * comes, so that a file takes one pass over its events, and no tree.
 *
 * @param properties how many there are: an empty value is one
 * @param keys characters of all keys, relative to this value
 * @param longestKey characters of the longest of them
 * @param text characters of all values
 */
record YamlSize(long properties, long keys, long longestKey, long text) {

    private static final int DEPTH = 50;

    /** Of a value with a tag such as !!int: a number takes time that grows with the square of its digits. */
    private static final int TAGGED = 1024;

    /** Of what is not complete yet. No other value has no properties. */
    private static final YamlSize OPEN = new YamlSize(0, 0, 0, 0);

    private static YamlSize scalar(int length) {
        return new YamlSize(1, 0, 0, length);
    }

    /** With {@code value} below a key of this length. */
    private YamlSize plus(long key, YamlSize value) {
        return new YamlSize(properties + value.properties, keys + value.keys + key * value.properties,
                Math.max(longestKey, key + value.longestKey), text + value.text);
    }

    /** As the key of a mapping, of which it is the text. */
    private long asKey() {
        return text + keys + 4 * (properties - 1);
    }

    private void addTo(ConfigLimits limits) {
        limits.add(properties, keys + text, longestKey);
    }

    /**
     * Counts all documents of a text.
     *
     * @throws ExceededException if a limit is exceeded
     * @throws org.yaml.snakeyaml.error.YAMLException if it is not YAML
     */
    static void count(String yaml, ConfigLimits limits) {
        var options = new LoaderOptions();
        options.setCodePointLimit(Integer.MAX_VALUE);
        Map<String, YamlSize> anchors = new HashMap<>();
        Deque<Collection> open = new ArrayDeque<>();
        for (Event event : new Yaml(options).parse(new StringReader(yaml))) {
            YamlSize ended = null;
            if (event instanceof DocumentStartEvent) {
                limits.addDocument();
                anchors.clear();
            } else if (event instanceof CollectionStartEvent start) {
                remember(anchors, start, OPEN);
                open.push(new Collection(start));
                ConfigLimits.check(open.size(), DEPTH, "levels");
            } else if (event instanceof ScalarEvent scalar) {
                String value = scalar.getValue();
                ended = scalar(scalar.isPlain() && value.equals("<<") ? -1 : value.length()); // a merge: no part of a key, nor the dot
                remember(anchors, scalar, ended);
                String tag = scalar.getTag();
                if (tag != null && (tag.endsWith("int") || tag.endsWith("float"))) {
                    ConfigLimits.check(value.length(), TAGGED, "characters in one number");
                }
            } else if (event instanceof AliasEvent alias) {
                ended = anchors.getOrDefault(alias.getAnchor(), scalar(0)); // an unknown anchor fails the parser
                if (ended.equals(OPEN)) {
                    throw new ExceededException("an alias of what contains it");
                }
            } else if (event.is(Event.ID.SequenceEnd) || event.is(Event.ID.MappingEnd)) {
                Collection closed = open.pop();
                ended = closed.size.properties == 0 ? scalar(0) : closed.size;
                remember(anchors, closed.start, ended);
            }
            if (ended == null) {
                continue;
            }
            Collection parent = open.peek();
            if (parent != null) {
                parent.add(ended);
                parent.size.addTo(new ConfigLimits()); // at once, so that no number overflows
            } else {
                ended.addTo(limits);
            }
        }
    }

    private static void remember(Map<String, YamlSize> anchors, NodeEvent node, YamlSize size) {
        if (node.getAnchor() != null) {
            anchors.put(node.getAnchor(), size);
        }
    }

    /** One that has begun. */
    private static final class Collection {

        private final CollectionStartEvent start;
        private YamlSize size = new YamlSize(0, 0, 0, 0);
        private @Nullable YamlSize key; // of a mapping, until its value comes
        private int items;

        Collection(CollectionStartEvent start) {
            this.start = start;
        }

        void add(YamlSize child) {
            if (!(start instanceof MappingStartEvent)) {
                size = size.plus(2 + String.valueOf(items++).length(), child);
            } else if (key == null) {
                key = child;
                size = new YamlSize(size.properties, size.keys, size.longestKey, size.text + child.asKey());
            } else {
                size = size.plus(key.asKey() + 1, child);
                key = null;
            }
        }
    }
}
