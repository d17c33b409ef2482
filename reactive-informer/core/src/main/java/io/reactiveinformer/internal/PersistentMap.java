package io.reactiveinformer.internal;

import java.util.AbstractMap;

/**
 * A map that never changes, and is no JDK's: whoever keeps it need not copy it, which for one that grows entry by entry would take the
 * square of its size.
 */
public abstract class PersistentMap<K, V> extends AbstractMap<K, V> {}
