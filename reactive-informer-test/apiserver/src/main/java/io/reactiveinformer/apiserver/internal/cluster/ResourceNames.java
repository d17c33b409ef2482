package io.reactiveinformer.apiserver.internal.cluster;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks the names by which tests name resources: {@code pods}, {@code deployments.apps}, {@code pods/status}, {@code pods/*}. */
final class ResourceNames {

    /** The most letters that a name may differ from the one that was meant. */
    private static final int CLOSE = 3;

    private ResourceNames() {}

    /** See {@link Types#require}. */
    static void require(Types types, String resource) {
        int slash = resource.indexOf('/');
        String object = slash < 0 ? resource : resource.substring(0, slash);
        String part = slash < 0 ? "" : resource.substring(slash + 1).split("/", 2)[0];
        List<ResourceDefinition> named = types.all().stream().filter(type -> isNamed(type, object)).toList();
        if (named.isEmpty()) {
            throw new IllegalArgumentException("this server has no resource \"" + resource + "\""
                    + meant(types, object).map(name -> "; did you mean \"" + name + resource.substring(object.length()) + "\"?").orElse(".")
                    + " Resources are named by their plural, with or without the group; a custom one needs its CustomResourceDefinition"
                    + " first");
        }
        if (slash >= 0 && !part.equals("*") && named.stream().noneMatch(type -> type.hasSubresource(part))) {
            throw new IllegalArgumentException("this server has no resource \"" + resource + "\": the subresources of " + object + " are "
                    + named.stream().flatMap(type -> type.subresources().keySet().stream()).distinct().sorted().toList());
        }
    }

    private static boolean isNamed(ResourceDefinition type, String name) {
        return name.equals(type.plural()) || name.equals(type.plural() + "." + type.group());
    }

    /** The qualified name of the type that has this name in another form; else of the one whose name is written nearly so. */
    private static Optional<String> meant(Types types, String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return types.all().stream()
                .min(Comparator.comparingInt((ResourceDefinition type) -> distance(type, lower)))
                .filter(type -> distance(type, lower) <= CLOSE)
                .map(ResourceDefinition::qualified);
    }

    private static int distance(ResourceDefinition type, String name) {
        String group = type.group().isEmpty() ? "" : "." + type.group();
        return Stream.concat(Stream.of(type.plural(), type.singular(), type.kind().toLowerCase(Locale.ROOT)), type.shortNames().stream())
                .flatMap(form -> Stream.of(form, form + group))
                .mapToInt(form -> name.startsWith(form + ".") ? 1 : distance(form, name))
                .min()
                .orElse(Integer.MAX_VALUE);
    }

    /** The number of letters to insert, remove or replace in one text to make it the other (Levenshtein). */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}
