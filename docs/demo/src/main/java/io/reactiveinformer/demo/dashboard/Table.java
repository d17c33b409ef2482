package io.reactiveinformer.demo.dashboard;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.View;
import java.util.List;
import java.util.function.Function;

/**
 * One table of the page. Objects whose change does not change their row are not announced.
 *
 * @param name for the page's heading
 * @param resource by which faults name it
 * @param columns the headings of a row's cells
 * @param informer where the objects come from
 * @param rows what is shown of them
 */
record Table(String name, String resource, List<String> columns, Informer<?> informer, View<ObjectKey, Row> rows) {

    static <T> Table of(String name, String resource, Informer<T> informer, Function<T, Row> row, String... columns) {
        return new Table(name, resource, List.of(columns), informer, informer.map(row));
    }
}
