package io.reactiveinformer.internal.codec;

import io.reactiveinformer.resource.FieldPath;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The paths of a record's components as a tree, so that reading meets each property once.
 *
 * @param children by property name
 * @param component index of the component whose path ends here; -1 for none
 */
record FieldPaths(Map<String, FieldPaths> children, int component) {

    private static final Pattern STEP = Pattern.compile("\\G(?:\\.?([^.\\[\\]']+)|\\['([^']*)'\\])");

    /** Whether any component of {@code type} has a path of its own. */
    static boolean areOn(Class<?> type) {
        return type.isRecord()
                && Arrays.stream(type.getRecordComponents()).anyMatch(component -> component.isAnnotationPresent(FieldPath.class));
    }

    /** @throws IllegalArgumentException if a path is malformed, or leads into a value that another component takes as a whole */
    static FieldPaths of(Class<?> type) {
        var root = new FieldPaths(new HashMap<>(), -1);
        RecordComponent[] components = type.getRecordComponents();
        for (int i = 0; i < components.length; i++) {
            FieldPath path = components[i].getAnnotation(FieldPath.class);
            root.add(path == null ? "['" + components[i].getName() + "']" : path.value(), i, type);
        }
        return root;
    }

    /**
     * Checks the paths of a record and of the records within it.
     *
     * @param seen the types that have been checked; those that are checked here are added
     * @throws IllegalArgumentException as {@link #of}
     */
    static void check(Type type, Set<Type> seen) {
        if (!seen.add(type)) {
            return;
        }
        if (type instanceof Class<?> plain && plain.isRecord()) {
            if (areOn(plain)) {
                of(plain);
            }
            Arrays.stream(plain.getRecordComponents()).forEach(component -> check(component.getGenericType(), seen));
        } else if (type instanceof ParameterizedType generic) {
            check(generic.getRawType(), seen);
            Arrays.stream(generic.getActualTypeArguments()).forEach(argument -> check(argument, seen));
        }
    }

    private void add(String path, int index, Class<?> type) {
        FieldPaths parent = this;
        Matcher step = STEP.matcher(path);
        int read = 0;
        while (step.find()) {
            String name = step.group(1) == null ? step.group(2) : step.group(1);
            read = step.end();
            boolean last = read == path.length();
            FieldPaths child = parent.children.get(name);
            if (child != null && (last || child.component >= 0)) {
                throw new IllegalArgumentException(
                        "two components of " + type.getName() + " overlap at " + path
                                + "; keep the one for the larger part, and read the smaller part from it");
            }
            if (child == null) {
                child = new FieldPaths(new HashMap<>(), last ? index : -1);
                parent.children.put(name, child);
            }
            parent = child;
        }
        if (path.isEmpty() || read != path.length()) {
            throw new IllegalArgumentException(
                    "a path must be like spec.nodeName or metadata.labels['app'], was \"" + path + "\" in " + type.getName());
        }
    }
}
