package io.reactiveinformer.internal.codec;

import io.reactiveinformer.resource.FieldPath;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The paths of the components of a projection as a tree, so that reading meets each property once.
 *
 * @param children by property name
 * @param component index of the component whose path ends here; -1 for none
 */
public record FieldPaths(Map<String, FieldPaths> children, int component) {

    private static final Pattern STEP = Pattern.compile("\\G(?:\\.?([^.\\[\\]']+)|\\['([^']*)'\\])");

    /** Whether any component of {@code type} has a path of its own. */
    public static boolean areOn(Class<?> type) {
        return Component.haveAPath(type);
    }

    /** @throws IllegalArgumentException if a path is malformed, or leads into a value that another component takes as a whole */
    static FieldPaths of(Class<?> type) {
        var root = new FieldPaths(new HashMap<>(), -1);
        List<Component> components = Component.of(type);
        for (int i = 0; i < components.size(); i++) {
            FieldPath path = components.get(i).path();
            root.add(path == null ? "['" + components.get(i).name() + "']" : path.value(), i, type);
        }
        return root;
    }

    /**
     * Checks the paths of a projection, and of the records within a record.
     *
     * @param seen the types that have been checked; those that are checked here are added
     * @throws IllegalArgumentException as {@link #of}
     */
    static void check(Type type, Set<Type> seen) {
        if (!seen.add(type)) {
            return;
        }
        if (type instanceof Class<?> plain && (plain.isRecord() || areOn(plain))) {
            if (areOn(plain)) {
                of(plain);
            }
            Component.of(plain).forEach(component -> check(component.type(), seen));
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
