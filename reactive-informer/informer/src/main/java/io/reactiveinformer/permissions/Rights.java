package io.reactiveinformer.permissions;

import io.reactiveinformer.resource.ObjectKey;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The objects of one type to which one verb may be applied. In a normal form, so that equal rights are equal values: what the cluster
 * grants is not repeated in a namespace.
 *
 * @param names what is granted in each namespace, and, under the empty text, in the cluster: {@link #ALL}, or the names of objects
 * @param named whether the server takes the name of an object for its namespace, as when a Namespace is read
 */
record Rights(Map<String, Set<String>> names, boolean named) implements Predicate<ObjectKey> {

    /** The name that no object has stands for all. */
    static final Set<String> ALL = Set.of("");
    static final Rights NONE = new Rights(Map.of(), false);
    /** Allows as little as {@link #NONE}. */
    static final Rights UNKNOWN = new Rights(Map.of(), true);

    /** @param granted what each scope grants, with repetitions and empty sets */
    static Rights of(Map<String, Set<String>> granted, boolean named) {
        Set<String> everywhere = granted.getOrDefault("", Set.of());
        Map<String, Set<String>> normal = new HashMap<>(granted);
        normal.replaceAll((namespace, names) -> namespace.isEmpty() ? names : without(everywhere, names));
        normal.values().removeIf(Set::isEmpty);
        return normal.isEmpty() ? NONE : new Rights(Map.copyOf(normal), named);
    }

    static Set<String> both(Set<String> one, Set<String> other) {
        Set<String> both = new HashSet<>(one);
        both.addAll(other);
        return both.containsAll(ALL) ? ALL : Set.copyOf(both);
    }

    private static Set<String> without(Set<String> everywhere, Set<String> names) {
        return everywhere.equals(ALL) ? Set.of()
                : Collections.disjoint(everywhere, names) ? names
                : names.stream().filter(name -> !everywhere.contains(name)).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public boolean test(ObjectKey key) {
        String namespace = named ? key.name() : key.namespace();
        return has("", key.name()) || namespace != null && has(namespace, key.name());
    }

    private boolean has(String namespace, String name) {
        Set<String> granted = names.getOrDefault(namespace, Set.of());
        return granted.equals(ALL) || granted.contains(name);
    }
}
