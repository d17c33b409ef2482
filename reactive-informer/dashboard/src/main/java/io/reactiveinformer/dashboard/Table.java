package io.reactiveinformer.dashboard;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.View;
import java.util.List;

/**
 * One table of the page. A change of an object that does not change its row is not emitted.
 *
 * @param name for the page's heading; unique
 * @param kind the plural of the objects
 * @param columns the headings of a row's cells
 * @param informer the source of the objects
 * @param rows the row of each object
 */
record Table(String name, String kind, List<String> columns, Informer<?> informer, View<ObjectKey, Row> rows) {}
