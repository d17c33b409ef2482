package io.reactiveinformer.internal.readers;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The elements of lists and maps that are being read, on one stack, to which nested ones add theirs. */
class Elements {

    private static final int LARGE = 4 << 10;

    private @Nullable Object[] elements = new @Nullable Object[64];
    private int elementCount;

    /** Stores an element until the elements of its list are taken. */
    void add(@Nullable Object element) {
        if (elementCount == elements.length) {
            elements = Arrays.copyOf(elements, elementCount * 2);
        }
        elements[elementCount++] = element;
    }

    int elementCount() {
        return elementCount;
    }

    /** Removes the elements that were added since there were {@code count}. */
    void drop(int count) {
        Arrays.fill(elements, count, elementCount, null);
        elementCount = count;
    }

    /** Removes and returns the elements that were added since there were {@code count}. */
    @Nullable Object[] take(int count) {
        @Nullable Object[] taken = Arrays.copyOfRange(elements, count, elementCount);
        drop(count);
        return taken;
    }

    /** Removes all, in case reading broke off. */
    void dropAll() {
        if (elements.length > LARGE) {
            elements = new @Nullable Object[64];
        } else {
            Arrays.fill(elements, 0, elementCount, null);
        }
        elementCount = 0;
    }
}
