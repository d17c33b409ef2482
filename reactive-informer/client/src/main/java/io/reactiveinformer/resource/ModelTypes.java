package io.reactiveinformer.resource;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The coordinates of the model classes of {@code client-java-api} on the server. */
final class ModelTypes {

    /** @param className the simple name of the class; all classes are in one package */
    record Entry(String className, String group, String version, String plural, String kind, ResourceType.Scope scope) {

        /** Reads a row of {@link ModelTable}. */
        static Entry parse(String row) {
            String[] cells = row.split(" ", -1);
            return new Entry(
                    cells[0],
                    cells[1].equals("core") ? "" : cells[1],
                    cells[2],
                    cells[3],
                    cells[4],
                    cells[5].equals("namespaced") ? ResourceType.Scope.NAMESPACED : ResourceType.Scope.CLUSTER);
        }
    }

    private static final String MODELS = V1ObjectMeta.class.getPackageName();
    private static final List<Entry> ENTRIES = ModelTable.ROWS.lines().map(Entry::parse).toList();
    private static final Map<String, Entry> BY_CLASS = ENTRIES.stream().collect(Collectors.toMap(Entry::className, Function.identity()));

    private static final Pattern VERSION = Pattern.compile("^V\\d+((alpha|beta)\\d+)?");

    private ModelTypes() {}

    static List<Entry> entries() {
        return ENTRIES;
    }

    static Entry entry(Class<?> modelClass) {
        Entry entry = modelClass.getPackageName().equals(MODELS) ? BY_CLASS.get(modelClass.getSimpleName()) : null;
        if (entry == null) {
            throw new IllegalArgumentException("no resource is known for " + modelClass.getName()
                    + "; name it with ResourceType.of(group, version, plural, scope, " + modelClass.getSimpleName() + ".class)");
        }
        return entry;
    }

    /** The simple name of a class; that of a model class without its version. */
    static String kind(Class<?> objectClass) {
        String name = objectClass.getSimpleName();
        if (!objectClass.getPackageName().equals(MODELS)) {
            return name;
        }
        Entry entry = BY_CLASS.get(name);
        return entry == null ? VERSION.matcher(name).replaceFirst("") : entry.kind();
    }

    /**
     * Passes by classes that an older {@code client-java-api} does not have.
     *
     * @param version null for the version that servers prefer
     */
    static Optional<ResourceType<?>> find(String group, @Nullable String version, String plural) {
        return entries(group, plural)
                .filter(entry -> version == null || entry.version().equals(version))
                .flatMap(entry -> modelClass(entry).stream())
                .findFirst()
                .map(ResourceType::of);
    }

    /** Of a built-in type; empty if there is no model. Loads no class: a native image has only those that are registered. */
    static Optional<ResourceType.Scope> scope(String group, String plural) {
        return entries(group, plural).findFirst().map(Entry::scope);
    }

    private static Stream<Entry> entries(String group, String plural) {
        return ENTRIES.stream().filter(entry -> entry.group().equals(group) && entry.plural().equals(plural));
    }

    /** Empty if {@code client-java-api} on the class path does not have it. */
    static Optional<Class<?>> modelClass(Entry entry) {
        try {
            return Optional.of(Class.forName(MODELS + "." + entry.className(), false, V1ObjectMeta.class.getClassLoader()));
        } catch (ClassNotFoundException missing) {
            return Optional.empty();
        }
    }
}
