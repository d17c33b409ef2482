package io.reactiveinformer.resource;

import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Names one object among all of its type. Ordered by namespace, then name; cluster-scoped objects come first.
 *
 * @param namespace null for cluster-scoped objects; never empty
 * @param name never empty
 */
public record ObjectKey(@Nullable String namespace, String name) implements Comparable<ObjectKey> {

    private static final Comparator<ObjectKey> ORDER =
            Comparator.comparing(ObjectKey::namespace, Comparator.nullsFirst(Comparator.naturalOrder())).thenComparing(ObjectKey::name);

    /** Takes an empty namespace, which is how the server writes "none", for null. */
    public ObjectKey {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("name must not be empty" + (namespace == null ? "" : " (in namespace " + namespace + ")"));
        }
        namespace = namespace == null || namespace.isEmpty() ? null : namespace;
    }

    public static ObjectKey of(@Nullable String namespace, String name) {
        return new ObjectKey(namespace, name);
    }

    public static ObjectKey clusterScoped(String name) {
        return new ObjectKey(null, name);
    }

    /** Reads what {@link #toString} writes: {@code namespace/name}, or {@code name} alone. */
    public static ObjectKey parse(String text) {
        int slash = text.indexOf('/');
        if (slash == 0 || slash != text.lastIndexOf('/')) {
            throw new IllegalArgumentException("an object's key is namespace/name, or name where there is no namespace; was " + text);
        }
        return slash < 0 ? clusterScoped(text) : of(text.substring(0, slash), text.substring(slash + 1));
    }

    /** By hand, as {@link #hashCode}: what a record is given goes through method handles, and each look-up in a cache compares keys. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ObjectKey key && name.equals(key.name) && Objects.equals(namespace, key.namespace);
    }

    @Override
    public int hashCode() {
        return 31 * Objects.hashCode(namespace) + name.hashCode();
    }

    @Override
    public int compareTo(ObjectKey other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return namespace == null ? name : namespace + "/" + name;
    }
}
