package io.reactiveinformer.cloud;

import java.io.IOException;
import java.io.StringReader;
import java.util.Properties;

/**
 * Limits of the properties of one object. They are counted before a property source is made, in time proportional to the text: a YAML file
 * of 300 bytes can have more properties than any heap has room for, since an alias repeats what it stands for.
 *
 * <p>A limit is far above what an application has, and low enough that an object which reaches it costs a few megabytes.
 */
final class ConfigLimits {

    static final int PROPERTIES = 20_000;

    /** Of all keys and values: 1 MiB is the largest object, and keys of YAML are repeated for each property below them. */
    static final int CHARACTERS = 8 << 20;

    /** Of one key. Spring Boot remembers each parent of a name, with its parts. */
    static final int KEY = 512;

    /** Each is a property source, and {@code Environment} compares each with all others. */
    static final int DOCUMENTS = 500;

    private long properties;
    private long characters;
    private int documents;

    /**
     * Counts properties.
     *
     * @param characters of their keys and values
     * @param longestKey in characters
     * @throws ExceededException if a limit is exceeded
     */
    void add(long properties, long characters, long longestKey) {
        this.properties += properties;
        this.characters += characters;
        check(this.properties, PROPERTIES, "properties");
        check(this.characters, CHARACTERS, "characters of keys and values");
        check(longestKey, KEY, "characters in one key");
    }

    /** @throws ExceededException if a limit is exceeded */
    void addDocument() {
        check(++documents, DOCUMENTS, "documents");
    }

    static void check(long number, int limit, String what) {
        if (number > limit) {
            throw new ExceededException(String.format("more than %,d %s", limit, what));
        }
    }

    /**
     * Counts the text of a {@code .properties} file.
     *
     * @throws ExceededException if a limit is exceeded
     * @throws IllegalArgumentException if it cannot be parsed
     */
    void addProperties(String text) throws IOException {
        text.lines().filter(line -> line.startsWith("#---") || line.startsWith("!---")).forEach(separator -> addDocument());
        new Properties() {
            private static final long serialVersionUID = 1L;

            @Override
            public synchronized Object put(Object key, Object value) { // not kept: a key of each document counts
                String[] list = key.toString().endsWith("[]") ? value.toString().split(",", PROPERTIES + 2) : new String[1];
                long keys = (long) list.length * (key.toString().length() + 4);
                add(list.length, keys + value.toString().length(), key.toString().length());
                return value;
            }
        }.load(new StringReader(text));
    }

    /** The message says which limit. */
    static final class ExceededException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ExceededException(String limit) {
            super(limit);
        }
    }
}
