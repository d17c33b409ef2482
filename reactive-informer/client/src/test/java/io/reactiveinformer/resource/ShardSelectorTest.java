package io.reactiveinformer.resource;

import io.reactiveinformer.resource.Selector.Shards.Field;
import io.reactiveinformer.resource.Selector.Shards.Range;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ShardSelectorTest {

    @Test
    void hashesAsTheReferenceOfFnvDoes() {
        assertThat(Selector.Shards.hash("")).isEqualTo(0xcbf29ce484222325L);
        assertThat(Selector.Shards.hash("a")).isEqualTo(0xaf63dc4c8601ec8cL);
        assertThat(Selector.Shards.hash("foobar")).isEqualTo(0x85944171f73967e8L);
    }

    @Test
    void isWrittenAsTheServerReadsIt() {
        assertThat(Selector.Shards.byUid(0, 2)).hasToString("shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')");
        assertThat(new Selector.Shards(Field.NAMESPACE, List.of(Range.part(0, 4), Range.part(3, 4)))).hasToString(
                "shardRange(object.metadata.namespace, '0x0000000000000000', '0x4000000000000000')"
                        + " || shardRange(object.metadata.namespace, '0xc000000000000000', '0x10000000000000000')");
    }

    @Test
    void eachHashIsInOneOfTheParts() {
        for (int object = 0; object < 1_000; object++) {
            String uid = "uid-" + object * 7_919L;
            assertThat(IntStream.range(0, 7).filter(index -> Selector.Shards.byUid(index, 7).matches("prod", uid))).hasSize(1);
        }
        assertThat(Range.part(6, 7).last()).isEqualTo(-1);
    }

    /** What the class says of namespaces that are counted up. */
    @Test
    void namespacesThatDifferAtTheirEndAreInOneRange() {
        assertThat(IntStream.range(0, 100).mapToObj(i -> "team-" + i / 10 + i % 10).map(Selector.Shards::hash)
                .map(hash -> hash >>> 58).distinct()).hasSize(1);
    }

    @Test
    void saysWhichPartsThereAre() {
        assertThatThrownBy(() -> Selector.Shards.byUid(5, 5)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the index must be from 0 to 4, was 5");
        assertThatThrownBy(() -> new Range(-1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Selector.shards(Selector.Shards.byUid(0, 2)).and(Selector.shards(Selector.Shards.byUid(1, 2))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(Selector.labels("app=web").and(Selector.shards(Selector.Shards.byUid(0, 2))).shards())
                .isEqualTo(Selector.Shards.byUid(0, 2));
    }
}
