package io.reactiveinformer.view;

import java.util.List;

public class JoinedChangesTckTest extends DerivedChangesTck<String, String> {

    @Override
    View<String, String> derive(View<String, String> rows) {
        return rows.join(rows, object -> List.of("k1"), (object, others) -> object + others);
    }
}
