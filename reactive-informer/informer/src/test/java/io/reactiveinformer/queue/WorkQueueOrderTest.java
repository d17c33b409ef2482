package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which key is next: priorities, and classes that take turns. Numbers with a § are of client-go's semantics 8.10, others of the stream
 * scenarios.
 */
class WorkQueueOrderTest extends WorkQueueFixture {

    @Test
    void ahigherPriorityGoesFirst() {
        queue.add("low", -1);
        queue.add("a");
        queue.add("b");
        queue.add("high", 1);
        queue.add("b", 2);
        work(9);
        assertThat(begun()).containsExactly("b", "high", "a", "low");
    }

    @Test // 105
    void aLowPriorityIsServedInTheEnd() {
        queue.add("low", -1);
        work(1);
        queue.add("first");
        finish("low");
        queue.add("low", -1);
        int before = 0;
        for (int i = 0; !begun.contains("low") || begun.indexOf("low") == begun.lastIndexOf("low"); i++) {
            queue.add("urgent-" + i);
            time.advanceTimeBy(ofSeconds(1));
            finish(begun.get(begun.size() - 1));
            before = i;
        }
        assertThat(before).as("turns of urgent keys before it").isBetween(8, 12);
    }

    @Test
    void classesTakeTurns() {
        WorkQueue<String> fair = WorkQueue.create(options.withClasses(key -> key.charAt(0)));
        List.of("a1", "a2", "a3", "b1", "c1", "a4", "b2").forEach(fair::add);
        work(fair, 9);
        assertThat(begun()).containsExactly("a1", "b1", "c1", "a2", "b2", "a3", "a4");
    }

    @Test
    void theHighestPriorityThereIsGoesFirst() {
        queue.add("low", Integer.MIN_VALUE);
        queue.add("a");
        queue.add("high", Integer.MAX_VALUE);
        work(9);
        assertThat(begun()).containsExactly("high", "a", "low");
    }

    @Test
    void aKeyThatComesAgainKeepsItsPriority() {
        Disposable first = work(1);
        queue.add("urgent", 1);
        queue.add("a");
        finish("urgent", Result.failed(new IllegalStateException("away")));
        queue.add("b");
        time.advanceTimeBy(ofMillis(5));
        finish("a");
        assertThat(begun()).as("failed").containsExactly("urgent", "a", "urgent");
        finish("urgent", Result.again(Duration.ZERO));
        assertThat(begun()).as("again").containsExactly("urgent");
        first.dispose();
        working.clear();
        work(1);
        assertThat(begun()).as("cancelled").containsExactly("urgent");
        queue.add("urgent", -1);
        finish("urgent", Result.failed(new IllegalStateException("away")));
        assertThat(begun()).as("failed, and added meanwhile").containsExactly("urgent");
        queue.add("urgent", -1);
        finish("urgent");
        assertThat(begun()).as("done, so that only what was added meanwhile counts").containsExactly("b");
    }

    @Test
    void anAdditionKeepsThePriorityOfTheDelayThatItComesInPlaceOf() {
        work(1);
        queue.add("urgent", 1);
        List.of("a", "b").forEach(queue::add);
        finish("urgent", Result.failed(new IllegalStateException("away")));
        queue.add("urgent", -1);
        finish("a");
        assertThat(begun()).containsExactly("urgent", "a", "urgent");
    }

    @Test
    void aHigherPriorityDoesNotCostItsClassTheTurn() {
        WorkQueue<String> fair = WorkQueue.create(options.withClasses(key -> key.charAt(0)));
        List.of("a1", "b1").forEach(fair::add);
        fair.add("a1", 1);
        work(fair, 9);
        assertThat(begun()).containsExactly("a1", "b1");
    }
}
