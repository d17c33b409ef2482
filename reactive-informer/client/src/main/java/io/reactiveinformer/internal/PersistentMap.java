package io.reactiveinformer.internal;

import java.util.AbstractMap;

/**
 * An immutable map of this library, which need not be copied. Copies of a map that grows entry by entry would take time quadratic in its
 * size.
 */
public abstract class PersistentMap<K, V> extends AbstractMap<K, V> {}
