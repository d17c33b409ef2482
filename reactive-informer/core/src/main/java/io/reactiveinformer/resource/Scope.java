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
 * A part of the cluster: all namespaces ({@link #all()}, also right for cluster-scoped types), one namespace, or a set of them. Immutable.
 *
 * <p>One request to the server is about all namespaces or about one; a set is requested {@linkplain #parts() part by part}, and each part
 * has its own position in the server's history.
 */
public final class Scope {

    private static final Scope ALL = new Scope(null);

    private final @Nullable Set<String> namespaces;

    private Scope(@Nullable Set<String> namespaces) {
        this.namespaces = namespaces;
    }

    /** Everything: all namespaces, and cluster-scoped objects. */
    public static Scope all() {
        return ALL;
    }

    /**
     * One namespace.
     *
     * @throws IllegalArgumentException if {@code namespace} is empty or has a slash
     */
    public static Scope namespace(String namespace) {
        return namespaces(Set.of(namespace));
    }

    /**
     * A set of namespaces; duplicates count once.
     *
     * @param namespaces may be empty: such a scope has no objects, and is complete at once
     * @throws IllegalArgumentException if a name is empty or has a slash
     */
    public static Scope namespaces(Collection<String> namespaces) {
        for (String namespace : namespaces) {
            if (namespace.isEmpty() || namespace.indexOf('/') >= 0) {
                throw new IllegalArgumentException(
                        "a namespace must have a name without slashes, was \"" + namespace + "\"; for every namespace say Scope.all()");
            }
        }
        return new Scope(Collections.unmodifiableSet(new TreeSet<>(namespaces)));
    }

    /** Whether this is {@link #all()}. */
    public boolean isAll() {
        return namespaces == null;
    }

    /** The namespaces of this scope, sorted; also empty for {@link #all()}, see {@link #isAll()}. */
    public Set<String> namespaces() {
        return namespaces == null ? Set.of() : namespaces;
    }

    /** The parts that one request each can cover: {@link #all()} itself, or the single namespaces, sorted. */
    public List<Scope> parts() {
        return namespaces == null ? List.of(this) : namespaces.stream().map(Scope::namespace).toList();
    }

    /**
     * The one namespace of this part; null for {@link #all()}.
     *
     * @throws IllegalStateException if this is a set of none or of several namespaces
     */
    public @Nullable String singleNamespace() {
        if (namespaces != null && namespaces.size() != 1) {
            throw new IllegalStateException("not one part but " + this + "; ask parts() one by one");
        }
        return namespaces == null ? null : namespaces.iterator().next();
    }

    /**
     * Whether an object of this key is in the scope. {@link #all()} covers every key; cluster-scoped objects are covered by no other scope.
     */
    public boolean covers(ObjectKey key) {
        return namespaces == null || key.namespace() != null && namespaces.contains(key.namespace());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Scope scope && Objects.equals(namespaces, scope.namespaces);
    }

    @Override
    public int hashCode() {
        return namespaces == null ? 0 : namespaces.stream().mapToInt(SecretHash::of).sum();
    }

    @Override
    public String toString() {
        if (namespaces == null) {
            return "all namespaces";
        }
        return switch (namespaces.size()) {
            case 0 -> "no namespace";
            case 1 -> "namespace " + namespaces.iterator().next();
            default -> namespaces.stream().collect(Collectors.joining(", ", "namespaces ", ""));
        };
    }
}
