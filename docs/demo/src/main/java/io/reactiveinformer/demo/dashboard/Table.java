package io.reactiveinformer.demo.dashboard;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.View;
import java.util.List;
import java.util.function.Function;

/**
 * One table of the page. A change of an object that does not change its row is not emitted.
 *
 * @param name for the page's heading
 * @param resource the resource's name for faults
 * @param columns the headings of a row's cells
 * @param informer the source of the objects
 * @param rows the row of each object
 */
record Table(String name, String resource, List<String> columns, Informer<?> informer, View<ObjectKey, Row> rows) {

    static <T> Table of(String name, String resource, Informer<T> informer, Function<T, Row> row, String... columns) {
        return new Table(name, resource, List.of(columns), informer, informer.map(row));
    }
}
