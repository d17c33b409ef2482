package io.reactiveinformer.store;

import io.reactiveinformer.Cost;
import io.reactiveinformer.client.Known.Stale;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StaleObjectsTest {

    private static Delta.Unreadable<?> unreadable(int number, String version) {
        return new Delta.Unreadable<>(Namespaces.all(), ObjectKey.of("n", "object-" + number), version,
                new UnreadableObjectException("why " + version, null), false, null);
    }

    @Test
    void tellsWhatAMapOfThemTells() {
        StaleObjects stale = StaleObjects.none();
        Map<ObjectKey, Stale> expected = new HashMap<>();
        assertThat(stale.reasons()).isEqualTo(expected);
        for (int i = 0; i < 100; i++) {
            stale = stale.with(unreadable(i, "5"), false);
            expected.put(ObjectKey.of("n", "object-" + i), new Stale("5", "why 5"));
        }
        Map<ObjectKey, Stale> before = stale.reasons();
        assertThat(before).isEqualTo(expected).hasSize(100).hasSameHashCodeAs(expected).containsAllEntriesOf(expected);
        assertThat(before.get(ObjectKey.of("n", "other"))).isNull();
        StaleObjects fewer = stale.without(ObjectKey.of("n", "object-7"));
        expected.remove(ObjectKey.of("n", "object-7"));
        assertThat(fewer.reasons()).isEqualTo(expected);
        assertThat(before).as("what was given out").hasSize(100);
    }

    @Test
    void isTheSameWhereNothingIsNews() {
        StaleObjects stale = StaleObjects.none().with(unreadable(1, "5"), false);
        assertThat(stale.with(unreadable(1, "5"), false).reasons()).isSameAs(stale.reasons());
        assertThat(stale.with(unreadable(1, "6"), false).reasons()).isNotSameAs(stale.reasons());
    }

    /** Each is published as soon as it is known: a map that is copied for each takes the square of their number. */
    @Test
    void theTenThousandthCostsNoMoreThanTheFirst() {
        var limit = new Cost(2_000_000_000L, 200L << 20);
        Cost cost = Cost.within(limit, () -> {
            StaleObjects stale = StaleObjects.none();
            for (int i = 0; i < 10_000; i++) {
                stale = stale.with(unreadable(i, "5"), false);
                InformerStatus status = new InformerStatus(State.LIVE, Instant.EPOCH, true, null, 0, null, stale.reasons(), Map.of());
                assertThat(status.stale()).hasSize(i + 1);
            }
        });
        assertThat(cost.exceeds(limit)).as("%s", cost).isFalse();
    }
}
