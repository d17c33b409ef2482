package io.reactiveinformer.view;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.BaseSubscriber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class BatchesTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final Rows rows = Rows.complete();
    private final View<String, String> view = HubView.of(rows);

    /** Asks for nothing by itself. */
    private static final class BatchSubscriber extends BaseSubscriber<List<Change<String, String>>> {

        final List<List<String>> batches = new ArrayList<>();

        @Override
        protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {}

        @Override
        protected void hookOnNext(List<Change<String, String>> batch) {
            batches.add(batch.stream().map(BatchSubscriber::text).toList());
        }

        private static String text(Change<String, String> change) {
            return change.match(added -> "+" + added.object(), updated -> updated.before() + " -> " + updated.after(),
                    deleted -> "-" + deleted.last(), synced -> "synced");
        }
    }

    private BatchSubscriber listen(int most) {
        var subscriber = new BatchSubscriber();
        view.batches(most, Delivery.conflated().on(scheduler).named("batches")).subscribe(subscriber);
        return subscriber;
    }

    @Test
    void tellsTogetherWhatWaitsTogether() {
        rows.put("a", "u", 1);
        BatchSubscriber subscriber = listen(10);
        subscriber.request(2);
        scheduler.runAll();
        rows.put("a", "u", 2).put("b", "u", 3).put("a", "u", 4);
        scheduler.runAll();
        assertThat(subscriber.batches).as("conflated as ever").containsExactly(List.of("+u@1", "synced"), List.of("u@1 -> u@4", "+u@3"));
        rows.put("b", "u", 5);
        scheduler.runAll();
        assertThat(subscriber.batches).as("no demand, no batch").hasSize(2);
    }

    @Test
    void tellsNoMoreAtATimeThanIsWanted() {
        rows.put("a", "u", 1).put("b", "u", 2).put("c", "u", 3).put("d", "u", 4);
        BatchSubscriber subscriber = listen(2);
        subscriber.requestUnbounded();
        scheduler.runAll();
        assertThat(subscriber.batches).extracting(List::size).containsExactly(2, 2, 1);
        assertThat(rows.hub.subscribers()).as("changes are counted, not batches").containsExactly(new SubscriberStatus("batches", 0, 5, 0, 0));
        assertThatThrownBy(() -> listen(0)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("most must be at least 1, was 0");
    }
}
