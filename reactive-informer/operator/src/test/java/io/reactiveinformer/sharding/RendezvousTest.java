package io.reactiveinformer.sharding;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RendezvousTest {

    private static final Set<String> FIVE = new TreeSet<>(List.of("web-1a", "web-2b", "web-3c", "web-4d", "web-5e"));
    private static final int KEYS = 10_000;

    private static String owner(Set<String> members, int key) {
        return Rendezvous.owner(members, Rendezvous.hash("prod/web-" + key));
    }

    @Test
    void movesNoOtherKeysThanThoseOfWhoGoes() {
        Set<String> four = new TreeSet<>(FIVE);
        four.remove("web-3c");

        assertThat(IntStream.range(0, KEYS).filter(key -> !owner(FIVE, key).equals("web-3c")))
                .allMatch(key -> owner(four, key).equals(owner(FIVE, key)));
    }

    @Test
    void dividesEvenly() {
        for (String member : FIVE) {
            assertThat(IntStream.range(0, KEYS).filter(key -> owner(FIVE, key).equals(member)).count())
                    .as(member).isBetween(1_850L, 2_150L);
        }
    }

    @Test
    void isTheSameInEveryProcessAndRelease() {
        assertThat(Rendezvous.hash("prod/web-1")).isEqualTo(-4_022_002_634_377_884_756L);
        assertThat(IntStream.range(0, 8).mapToObj(key -> owner(FIVE, key)))
                .containsExactly("web-3c", "web-3c", "web-3c", "web-3c", "web-5e", "web-2b", "web-5e", "web-1a");
    }

    @Test
    void whereThereIsNobodyNobodyOwns() {
        assertThat(Rendezvous.owner(Set.of(), 1)).isEmpty();
    }
}
