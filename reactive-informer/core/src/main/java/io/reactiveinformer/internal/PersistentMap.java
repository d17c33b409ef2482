package io.reactiveinformer.internal;

import java.util.AbstractMap;

/**
 * A map that never changes, and is not the JDK's: its holder need not copy it. Copies of a map that grows entry by entry would take time
 * quadratic in its size.
 */
public abstract class PersistentMap<K, V> extends AbstractMap<K, V> {}
