package io.reactiveinformer.view;

public class FilteredChangesTckTest extends DerivedChangesTck<String, String> {

    @Override
    View<String, String> derive(View<String, String> rows) {
        return rows.filter(object -> true);
    }
}
