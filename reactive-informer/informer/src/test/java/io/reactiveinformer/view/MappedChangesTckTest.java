package io.reactiveinformer.view;

public class MappedChangesTckTest extends DerivedChangesTck<String, Integer> {

    @Override
    View<String, Integer> derive(View<String, String> rows) {
        return rows.map(String::length);
    }
}
