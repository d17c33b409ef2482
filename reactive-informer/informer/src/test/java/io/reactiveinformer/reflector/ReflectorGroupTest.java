package io.reactiveinformer.reflector;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReflectorGroupTest {

    private final Reflector.Group group = Reflector.Group.create();
    private final List<String> came = new ArrayList<>();

    /** Law 15: who finds late what another one found first ends nothing. */
    @Test
    void anEpochIsOverOnce() {
        Reflector.Group.Epoch first = group.epoch();
        first.over().subscribe(null, null, () -> came.add("first"));
        group.isOver(first);
        Reflector.Group.Epoch second = group.epoch();
        second.over().subscribe(null, null, () -> came.add("second"));
        group.isOver(first);
        assertThat(group.epoch()).isSameAs(second).isNotSameAs(first);
        assertThat(came).containsExactly("first");
    }
}
