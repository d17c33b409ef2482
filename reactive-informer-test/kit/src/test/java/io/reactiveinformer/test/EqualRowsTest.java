package io.reactiveinformer.test;

import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A computed row that goes from A to B and back to A is no change to a subscriber that received A last; to one that asked for every state
 * it is two.
 */
class EqualRowsTest {

    private final TestClock clock = TestClock.start();
    private final TestView<String, String> rows = TestView.of(Map.of("row", "a1"));
    private final TestView<String, String> others = TestView.of(Map.of("other", "o"));
    private final List<String> received = new ArrayList<>();

    @AfterEach
    void realTime() {
        clock.close();
    }

    private enum Derived {
        MAP, MAP_OF_MAP, FILTERED_MAP, SAMPLED_MAP, JOIN, JOIN_OF_MAP, JOINED_TO_A_MAP;

        View<String, String> of(View<String, String> rows, View<String, String> others) {
            View<String, String> letter = rows.map(row -> row.substring(0, 1));
            return switch (this) {
                case MAP -> letter;
                case MAP_OF_MAP -> letter.map(row -> row + "!");
                case FILTERED_MAP -> letter.filter(row -> true);
                case SAMPLED_MAP -> letter.sample(Duration.ofMillis(1));
                case JOIN -> rows.join(others, row -> List.of("other"), (row, joined) -> row.substring(0, 1) + joined);
                case JOIN_OF_MAP -> letter.join(others, row -> List.of("other"), (row, joined) -> row + joined);
                case JOINED_TO_A_MAP -> others.join(letter, row -> List.of("row"), (row, joined) -> row + joined);
            };
        }
    }

    /** With demand for what is there, and Synced. */
    private BaseSubscriber<Change<String, String>> follow(View<String, String> view, Delivery delivery) {
        var subscriber = new BaseSubscriber<Change<String, String>>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                request(2);
            }

            @Override
            protected void hookOnNext(Change<String, String> change) {
                received.add(change.match(added -> "+" + added.object(), updated -> updated.before() + ">" + updated.after(),
                        deleted -> "-", synced -> "synced"));
            }
        };
        view.changes(delivery).subscribe(subscriber);
        settle();
        return subscriber;
    }

    private void settle() {
        clock.advance(Duration.ofSeconds(1));
    }

    private void thereAndBack() {
        rows.put("row", "b2");
        settle();
        rows.put("row", "a3");
        settle();
    }

    @ParameterizedTest
    @EnumSource
    void isNotEmittedWhenItIsAsItWas(Derived kind) {
        var slow = follow(kind.of(rows, others), Delivery.conflated());
        thereAndBack();
        slow.request(10);
        settle();
        assertThat(received).hasSize(2).endsWith("synced");
        rows.put("row", "b4");
        settle();
        assertThat(received).hasSize(3);
    }

    @ParameterizedTest
    @EnumSource
    void isEmittedInBothStatesIfEachWasAskedFor(Derived kind) {
        var slow = follow(kind.of(rows, others), Delivery.every(8));
        thereAndBack();
        slow.request(10);
        settle();
        assertThat(received).hasSize(4).element(3).asString().matches("(.*)b(.*)>\\1a\\2");
    }

    /** It is a mark on the row, and no equality. */
    @ParameterizedTest
    @EnumSource
    void isEmittedByAResyncAllTheSame(Derived kind) {
        var fast = follow(kind.of(rows, others), Delivery.conflated().resync(Duration.ofMinutes(1)));
        fast.request(10);
        clock.advance(Duration.ofMinutes(1));
        assertThat(received).hasSize(3).element(2).asString().matches("(.*)>\\1");
    }
}
