package io.reactiveinformer;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class RoundsTest {

    private static final long TODAY = Rounds.dayOf("261129030405006");

    private final Rounds thorough = new Rounds(true, TODAY);

    @ParameterizedTest
    @ValueSource(ints = {1, 19, 20, 21, 39, 40, 59, 60, 599, 600, 601, 631, 2_000, 30_000})
    void aMonthPlaysEachRoundOfTheThoroughBuildOnce(int all) {
        List<Long> played = days(Math.max(1, Math.min(30, all / 20)))
                .flatMap(day -> new Rounds(false, day).share(all, 20)).sorted().boxed().toList();

        assertThat(played).isEqualTo(LongStream.range(0, all).boxed().toList())
                .isEqualTo(thorough.share(all, 20).boxed().toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 19, 20, 39, 599, 600, 631, 30_000})
    void aDayPlaysAThirtiethAndAtLeastTwenty(int all) {
        assertThat(days(30).boxed()).allSatisfy(day -> assertThat(new Rounds(false, day).share(all, 20).count())
                .isBetween((long) Math.min(all, Math.max(20, all / 30)), (long) Math.max(39, all / 30 + 1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 5, 96, 97})
    void fourDaysPlayEachCellOfTheMatrixOnce(int all) {
        List<Integer> played = days(4).boxed().flatMap(day -> new Rounds(false, day).ofCells(cells(all), 4)).sorted().toList();

        assertThat(played).isEqualTo(cells(all));
        assertThat(thorough.ofCells(cells(all), 4).toList()).isEqualTo(cells(all));
    }

    /** Rows of eight: a day that took every fourth cell would see the same two of each row only. */
    @Test
    void aDayPlaysCellsOfEachColumnAndOfMostRows() {
        List<Integer> played = new Rounds(false, TODAY).ofCells(cells(96), 4).toList();

        assertThat(played).hasSize(24);
        assertThat(played.stream().map(cell -> cell % 8).distinct()).hasSizeGreaterThan(6);
        assertThat(played.stream().map(cell -> cell / 8).distinct()).hasSizeGreaterThan(7);
    }

    @Test
    void theSeedOfABuildSaysItsDay() {
        assertThat(Rounds.dayOf("261129235959999")).isEqualTo(TODAY);
        assertThat(Rounds.dayOf("261130000000000")).isEqualTo(TODAY + 1);
        assertThat(Rounds.dayOf("270101000000000")).isEqualTo(TODAY + 33);
    }

    @Test
    void anotherSeedChoosesADayAsWell() {
        assertThat(Rounds.dayOf("4711")).isEqualTo(Rounds.dayOf("4711")).isNotEqualTo(Rounds.dayOf("4712"));
        assertThat(Rounds.dayOf("")).isEqualTo(Rounds.dayOf(""));
        assertThat(new Rounds(false, Rounds.dayOf("-1")).share(600, 20).boxed()).hasSize(20);
    }

    private static LongStream days(int count) {
        return LongStream.range(TODAY, TODAY + count);
    }

    private static List<Integer> cells(int count) {
        return IntStream.range(0, count).boxed().toList();
    }
}
