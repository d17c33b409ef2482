package io.reactiveinformer.view;

import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls a user's function for one row of a view. Whatever it throws concerns that row only, which stays as it was. */
final class RowFunction {

    private static final Logger LOG = LoggerFactory.getLogger(View.class);

    private final String kind;
    private boolean failed;

    /** @param kind of the view, for the log */
    RowFunction(String kind) {
        this.kind = kind;
    }

    /** Calls {@code function}; empty if it threw, which is logged the first time. */
    <R> Optional<R> call(Object key, Supplier<R> function) {
        try {
            return Optional.of(function.get());
        } catch (RuntimeException | LinkageError | AssertionError failure) {
            if (!failed) {
                failed = true;
                LOG.warn("The function of a {} view fails on {}: its row stays as it was, as will others, without further notice",
                        kind, key, failure);
            }
            return Optional.empty();
        }
    }
}
