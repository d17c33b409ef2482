package io.reactiveinformer.demo.dashboard;

import io.reactiveinformer.demo.dashboard.Message.Reader;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.SubscriberStatus;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One page that is open. It asks for rows as fast as its connection takes them, and what it does not ask for is conflated where the rows
 * are: a browser that stands still costs one entry a row, and nobody waits for it.
 */
final class Browser {

    /** How long a slow reader takes for each change. */
    private static final Duration SLOW = Duration.ofSeconds(1);

    /** Rows that are on their way at once; of a slow reader one, or nothing would be left to be conflated. */
    private static final int AHEAD = 32;

    private final String name;
    private final Wish wish;
    private final Map<String, View<ObjectKey, Row>> views = new LinkedHashMap<>();

    Browser(String name, Wish wish, List<Table> tables) {
        this.name = name;
        this.wish = wish;
        tables.forEach(table -> views.put(table.name(), wish.of(table)));
    }

    String name() {
        return name;
    }

    /** The rows that it wants to see, then what happens to them. */
    Flux<Message> rows() {
        List<Flux<Message>> tables = views.entrySet().stream()
                .map(view -> view.getValue().changes(Delivery.conflated().named(name)).map(change -> Message.of(view.getKey(), change)))
                .toList();
        Flux<Message> all = Flux.fromIterable(tables).flatMap(table -> table, tables.size(), ahead());
        return wish.slow() ? all.concatMap(Browser::slowly, 0) : all;
    }

    int ahead() {
        return wish.slow() ? 1 : AHEAD;
    }

    /** The next one is asked for when this is over. What was there when the browser came is not held up. */
    private static Publisher<Message> slowly(Message message) {
        return message.news() ? Mono.just(message).concatWith(Mono.delay(SLOW).then(Mono.empty())) : Mono.just(message);
    }

    Reader stand() {
        List<SubscriberStatus> subscriptions = views.values().stream()
                .flatMap(view -> view.subscribers().stream())
                .filter(subscriber -> subscriber.name().equals(name))
                .toList();
        return new Reader(name, wish.slow(), wish.filter(),
                subscriptions.stream().mapToLong(SubscriberStatus::backlog).sum(),
                subscriptions.stream().mapToLong(SubscriberStatus::told).sum(),
                subscriptions.stream().mapToLong(SubscriberStatus::conflated).sum());
    }
}
