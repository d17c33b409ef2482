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
 * Which part of the cluster is meant: everything ({@link #all()}, also right for cluster-scoped types), one namespace, or a set of them.
 *
 * <p>The server can be asked about everything or about one namespace; a set is asked about {@linkplain #parts() part by part}, and each part
 * has a position in the server's history of its own.
 */
public final class Scope {

    private static final Scope ALL = new Scope(null);

    private final @Nullable Set<String> namespaces;

    private Scope(@Nullable Set<String> namespaces) {
        this.namespaces = namespaces;
    }

    public static Scope all() {
        return ALL;
    }

    public static Scope namespace(String namespace) {
        return namespaces(Set.of(namespace));
    }

    /** @param namespaces may be empty: such a scope has no objects, and is complete at once */
    public static Scope namespaces(Collection<String> namespaces) {
        for (String namespace : namespaces) {
            if (namespace.isEmpty() || namespace.indexOf('/') >= 0) {
                throw new IllegalArgumentException(
                        "a namespace must have a name without slashes, was \"" + namespace + "\"; for every namespace say Scope.all()");
            }
        }
        return new Scope(Collections.unmodifiableSet(new TreeSet<>(namespaces)));
    }

    public boolean isAll() {
        return namespaces == null;
    }

    /** The namespaces that were named, in order; empty for {@link #all()} too, see {@link #isAll()}. */
    public Set<String> namespaces() {
        return namespaces == null ? Set.of() : namespaces;
    }

    /** What the server can be asked in one request each: everything, or single namespaces. */
    public List<Scope> parts() {
        return namespaces == null ? List.of(this) : namespaces.stream().map(Scope::namespace).toList();
    }

    /** The one namespace of this part; null for {@link #all()}. */
    public @Nullable String singleNamespace() {
        if (namespaces != null && namespaces.size() != 1) {
            throw new IllegalStateException("not one part but " + this + "; ask parts() one by one");
        }
        return namespaces == null ? null : namespaces.iterator().next();
    }

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
