package io.reactiveinformer.view;

import reactor.core.publisher.Flux;

public class MovedChangesTckTest extends DerivedChangesTck<String, String> {

    @Override
    View<String, String> derive(View<String, String> rows) {
        return rows.filter(Flux.just(object -> true));
    }
}
