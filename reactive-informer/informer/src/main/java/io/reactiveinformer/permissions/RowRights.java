package io.reactiveinformer.permissions;

import io.reactiveinformer.resource.ObjectKey;
import java.util.function.Function;
import java.util.function.Predicate;

/** The rows whose keys are allowed. */
record RowRights<T>(Predicate<ObjectKey> rights, Function<? super T, ObjectKey> key) implements Predicate<T> {

    @Override
    public boolean test(T row) {
        return rights.test(key.apply(row));
    }
}
