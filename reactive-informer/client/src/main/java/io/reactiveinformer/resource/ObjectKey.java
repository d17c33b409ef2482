package io.reactiveinformer.resource;

import io.reactiveinformer.internal.SecretHash;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Namespace and name of an object, which identify it among all objects of its type. Ordered by namespace, then name; cluster-scoped objects
 * come first. Immutable.
 *
 * <p>The hash code differs from process to process, so that an attacker who chooses names cannot make many of them collide.
 */
public final class ObjectKey implements Comparable<ObjectKey> {

    private final @Nullable String namespace;
    private final String name;
    private final int hash;

    private ObjectKey(@Nullable String namespace, String name) {
        this.namespace = namespace;
        this.name = name;
        this.hash = SecretHash.of(namespace, name);
    }

    /**
     * The key of an object.
     *
     * @param namespace the namespace; null, or empty as the server writes it, for a cluster-scoped object
     * @throws IllegalArgumentException if {@code name} is empty
     */
    public static ObjectKey of(@Nullable String namespace, String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("name must not be empty" + (namespace == null ? "" : " (in namespace " + namespace + ")"));
        }
        return new ObjectKey(namespace == null || namespace.isEmpty() ? null : namespace, name);
    }

    /**
     * The key of a cluster-scoped object.
     *
     * @throws IllegalArgumentException if {@code name} is empty
     */
    public static ObjectKey clusterScoped(String name) {
        return of(null, name);
    }

    /**
     * Parses the result of {@link #toString}: {@code namespace/name}, or {@code name} alone.
     *
     * @throws IllegalArgumentException if the namespace before a slash or the name is empty, or if there is more than one slash
     */
    public static ObjectKey parse(String text) {
        int slash = text.indexOf('/');
        if (slash == 0 || slash != text.lastIndexOf('/')) {
            throw new IllegalArgumentException("the key of an object must be namespace/name, or name if it has no namespace; was " + text);
        }
        return slash < 0 ? clusterScoped(text) : of(text.substring(0, slash), text.substring(slash + 1));
    }

    /** The namespace; null for cluster-scoped objects, never empty. */
    public @Nullable String namespace() {
        return namespace;
    }

    /** The name; never empty. */
    public String name() {
        return name;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || other instanceof ObjectKey key && hash == key.hash && name.equals(key.name)
                && Objects.equals(namespace, key.namespace);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public int compareTo(ObjectKey other) {
        int byNamespace = namespace == null || other.namespace == null
                ? Boolean.compare(namespace != null, other.namespace != null)
                : namespace.compareTo(other.namespace);
        return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return namespace == null ? name : namespace + "/" + name;
    }
}
