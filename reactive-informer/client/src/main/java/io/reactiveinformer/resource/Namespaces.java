package io.reactiveinformer.resource;

import io.reactiveinformer.internal.SecretHash;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A selection of namespaces: {@linkplain #all() all} of the cluster, one, or a set of them. Cluster-scoped types need all. Immutable.
 *
 * <p>One request to the server covers all namespaces or one. A set is therefore requested {@linkplain #parts() part by part}, and each part
 * has its own position in the server's history.
 */
public final class Namespaces {

    private static final Namespaces ALL = new Namespaces(null);

    private final @Nullable Set<String> names; // null: all

    private Namespaces(@Nullable Set<String> names) {
        this.names = names;
    }

    /** All namespaces, and cluster-scoped objects. */
    public static Namespaces all() {
        return ALL;
    }

    /**
     * One namespace.
     *
     * @throws IllegalArgumentException if {@code namespace} is empty or has a slash
     */
    public static Namespaces of(String namespace) {
        return of(Set.of(namespace));
    }

    /**
     * A set of namespaces; duplicates count once.
     *
     * @param names may be empty: there are no objects then, and the empty cache is complete at once
     * @throws IllegalArgumentException if a name is empty or has a slash
     */
    public static Namespaces of(Collection<String> names) {
        for (String namespace : names) {
            if (namespace.isEmpty() || namespace.indexOf('/') >= 0) {
                throw new IllegalArgumentException(
                        "a namespace must have a name without slashes, was \"" + namespace
                                + "\"; for all namespaces use Namespaces.all()");
            }
        }
        return new Namespaces(Collections.unmodifiableSet(new TreeSet<>(names)));
    }

    /** Whether no namespace is left out, as in {@link #all()}. */
    public boolean isAll() {
        return names == null;
    }

    /** The names, sorted. Empty for {@link #all()} too, see {@link #isAll()}. */
    public Set<String> names() {
        return names == null ? Set.of() : names;
    }

    /** The parts, each of which one request can cover: {@link #all()} itself, or the single namespaces, sorted. */
    public List<Namespaces> parts() {
        return names == null ? List.of(this) : names.stream().map(Namespaces::of).toList();
    }

    /**
     * The one namespace of this part; null for {@link #all()}.
     *
     * @throws IllegalStateException if this is a set of none or of several namespaces
     */
    public @Nullable String single() {
        if (names != null && names.size() != 1) {
            throw new IllegalStateException("one namespace is needed, but this is " + this + "; use each of parts()");
        }
        return names == null ? null : names.iterator().next();
    }

    /**
     * Whether the object with this key is in one of these namespaces. {@link #all()} covers every key; nothing else covers the key of a
     * cluster-scoped object.
     */
    public boolean covers(ObjectKey key) {
        return names == null || key.namespace() != null && names.contains(key.namespace());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Namespaces namespaces && Objects.equals(names, namespaces.names);
    }

    @Override
    public int hashCode() {
        return names == null ? 0 : names.stream().mapToInt(SecretHash::of).sum();
    }

    @Override
    public String toString() {
        if (names == null) {
            return "all namespaces";
        }
        return switch (names.size()) {
            case 0 -> "no namespace";
            case 1 -> "namespace " + names.iterator().next();
            default -> names.stream().collect(Collectors.joining(", ", "namespaces ", ""));
        };
    }
}
