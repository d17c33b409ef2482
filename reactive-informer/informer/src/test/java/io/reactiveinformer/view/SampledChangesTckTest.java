package io.reactiveinformer.view;

import java.time.Duration;

public class SampledChangesTckTest extends DerivedChangesTck<String, String> {

    @Override
    View<String, String> derive(View<String, String> rows) {
        return rows.sample(Duration.ofMillis(1));
    }
}
