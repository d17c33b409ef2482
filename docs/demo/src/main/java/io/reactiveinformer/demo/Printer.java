package io.reactiveinformer.demo;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.InformerStatus;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes one line for each change, status or snapshot. Not for several threads at once. Each method throws {@link OutputClosedException}
 * when the reader has closed the output.
 */
interface Printer {

    void change(Change<ObjectKey, ?> change);

    void status(InformerStatus status);

    /**
     * @param resourceVersion up to which {@code objects} is complete; null if it never was
     * @param objects by namespace, then name
     */
    void snapshot(@Nullable String resourceVersion, SortedMap<ObjectKey, ? extends Versioned<?>> objects);
}
