package io.reactiveinformer.permissions;

import io.reactiveinformer.resource.ObjectKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one type to which one verb may be applied. In a normal form, so that equal rights are equal values: what the cluster grants
 * is not repeated in a namespace.
 *
 * @param everywhere what is granted in the cluster
 * @param namespaces what is granted in a namespace in addition; never an empty reach
 * @param named whether the server takes the name of an object for its namespace, as when a Namespace is read
 */
record Rights(Reach everywhere, Map<String, Reach> namespaces, boolean named) implements Predicate<ObjectKey> {

    static final Rights NONE = new Rights(Reach.NONE, Map.of(), false);

    /** @param granted what each scope grants; the key null is the cluster */
    static Rights of(Map<@Nullable String, Reach> granted, boolean named) {
        Reach everywhere = granted.getOrDefault(null, Reach.NONE);
        Map<String, Reach> more = new HashMap<>();
        granted.forEach((namespace, reach) -> {
            Reach rest = reach.without(everywhere);
            if (namespace != null && !rest.equals(Reach.NONE)) {
                more.put(namespace, rest);
            }
        });
        return new Rights(everywhere, Map.copyOf(more), named);
    }

    @Override
    public boolean test(ObjectKey key) {
        String namespace = named ? key.name() : key.namespace();
        return everywhere.has(key.name())
                || namespace != null && namespaces.getOrDefault(namespace, Reach.NONE).has(key.name());
    }

    /** The objects of one scope: all, or those of these names. */
    record Reach(boolean all, Set<String> names) {

        static final Reach NONE = new Reach(false, Set.of());
        static final Reach ALL = new Reach(true, Set.of());

        boolean has(String name) {
            return all || names.contains(name);
        }

        Reach with(Reach other) {
            if (all || other.equals(NONE)) {
                return this;
            }
            if (other.all || equals(NONE)) {
                return other;
            }
            Set<String> both = new HashSet<>(names);
            both.addAll(other.names);
            return new Reach(false, Set.copyOf(both));
        }

        Reach without(Reach other) {
            if (other.all) {
                return NONE;
            }
            if (all || other.names.isEmpty()) {
                return this;
            }
            Set<String> rest = new HashSet<>(names);
            rest.removeAll(other.names);
            return rest.isEmpty() ? NONE : new Reach(false, Set.copyOf(rest));
        }
    }
}
