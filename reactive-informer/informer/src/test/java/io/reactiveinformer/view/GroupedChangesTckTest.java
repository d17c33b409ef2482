package io.reactiveinformer.view;

import io.reactiveinformer.store.Snapshot;
import java.util.Optional;

public class GroupedChangesTckTest extends DerivedChangesTck<String, Snapshot<String, String>> {

    @Override
    View<String, Snapshot<String, String>> derive(View<String, String> rows) {
        return rows.group(Optional::of);
    }
}
