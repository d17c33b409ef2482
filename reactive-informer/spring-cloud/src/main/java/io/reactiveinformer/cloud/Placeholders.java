package io.reactiveinformer.cloud;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.origin.OriginTrackedValue;

/**
 * How large the properties of one object are with their placeholders replaced by each other. Thirty properties of two placeholders each,
 * of which each stands for the next two, have a gigabyte. What other property sources have is not counted.
 */
final class Placeholders {

    private static final int DEPTH = 50;
    private static final String PREFIX = "${";

    /** Only such a name is looked for in other spellings, too. */
    private static final Pattern CANONICAL = Pattern.compile("[a-z0-9.\\[\\]-]+");

    private static final Size NONE = new Size(0, 0);

    private final Map<String, List<String>> values = new HashMap<>();
    private final Map<String, List<String>> inOtherSpellings = new HashMap<>();
    private final Map<String, Size> known = new HashMap<>(); // by the name in a placeholder; NONE while it is computed
    private int namesToFind; // which have a placeholder themselves
    private int level; // of this recursion

    /** @param depth of placeholders in values of placeholders */
    private record Size(long characters, int depth) {}

    private Placeholders() {}

    /** @throws ConfigLimits.ExceededException if a limit is exceeded */
    static void check(Collection<Map<String, Object>> documents) {
        var all = new Placeholders();
        documents.forEach(document -> document.forEach((name, value) -> {
            if (textOf(value) instanceof String text) {
                all.values.computeIfAbsent(name, first -> new ArrayList<>()).add(text);
                all.inOtherSpellings.computeIfAbsent(uniform(name), first -> new ArrayList<>()).add(text);
            }
        }));
        long characters = 0;
        for (List<String> texts : all.values.values()) {
            for (String text : texts) {
                characters += all.size(text).characters;
                limit(characters);
            }
        }
        // If each may stand for any other, the cube root of three at most for each.
        limit((long) (characters * Math.pow(1.45, all.namesToFind)));
    }

    private static @Nullable Object textOf(@Nullable Object value) {
        Object plain = value instanceof OriginTrackedValue tracked ? tracked.getValue() : value;
        return plain instanceof CharSequence text ? text.toString() : null;
    }

    private static String uniform(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.\\[\\]]", ""); // as Spring Boot compares names
    }

    private static void limit(long characters) {
        ConfigLimits.check(characters, ConfigLimits.CHARACTERS, "characters with the placeholders replaced");
    }

    private static void checkDepth(int depth) {
        ConfigLimits.check(depth, DEPTH, "placeholders in values of placeholders");
    }

    private Size size(String text) {
        long characters = text.length();
        int depth = 0;
        int open = 0;
        for (int at = 0; at < text.length(); at++) {
            if (text.charAt(at) == '}' && open > 0) {
                open--;
            } else if (text.startsWith(PREFIX, at)) {
                ConfigLimits.check(++open, DEPTH, "placeholders in one another");
                int begin = at + PREFIX.length();
                int end = end(text, begin, true);
                if (text.startsWith(PREFIX, end)) {
                    namesToFind++;
                    continue;
                }
                Size name = of(text.substring(begin, end));
                Size withColon = of(text.substring(begin, end(text, end, false)));
                characters += 1 + Math.max(name.characters, withColon.characters);
                limit(characters);
                depth = Math.max(depth, 1 + Math.max(name.depth, withColon.depth));
                checkDepth(depth);
            }
        }
        return new Size(characters, depth);
    }

    private static int end(String text, int from, boolean colonEnds) {
        int at = from;
        while (at < text.length() && text.charAt(at) != '}' && !(colonEnds && text.charAt(at) == ':') && !text.startsWith(PREFIX, at)) {
            at++;
        }
        return at;
    }

    private Size of(String name) {
        Size size = known.get(name);
        if (size == null) {
            known.put(name, NONE); // a placeholder of itself fails when it is replaced
            checkDepth(++level);
            List<String> texts = values.getOrDefault(name, List.of());
            if (CANONICAL.matcher(name).matches()) {
                texts = inOtherSpellings.getOrDefault(uniform(name), texts);
            }
            int found = namesToFind; // by check(…), once for each text
            long characters = 0;
            int depth = 0;
            for (String text : texts) {
                Size one = size(text);
                characters = Math.max(characters, one.characters);
                depth = Math.max(depth, one.depth);
            }
            namesToFind = found;
            level--;
            size = new Size(characters, depth);
            known.put(name, size);
        }
        return size;
    }
}
