package io.reactiveinformer.view;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Lawful subscribers, which come, stall, go on, throw and go as a schedule says, and the threads that notify them. */
final class LawfulSubscribers {

    static final int ACTIONS = 10;

    final ManualScheduler scheduler = new ManualScheduler();
    private final List<LawfulSubscriber<?, ?>> all = new ArrayList<>();

    void join(LawfulSubscriber<?, ?> subscriber) {
        all.add(subscriber);
    }

    /** @param action below {@link #ACTIONS} */
    void play(int action, int detail) {
        switch (action) {
            case 0 -> pick(detail, LawfulSubscriber::cancel);
            case 1 -> pick(detail, LawfulSubscriber::throwOnPurpose);
            case 2 -> tick();
            case 3, 4, 5 -> pick(detail, subscriber -> subscriber.request(1 + detail % 4));
            case 6 -> scheduler.runAll();
            default -> scheduler.runNext();
        }
    }

    private void pick(int detail, Consumer<LawfulSubscriber<?, ?>> action) {
        if (!all.isEmpty()) {
            action.accept(all.get(detail % all.size()));
        }
    }

    private void tick() {
        all.forEach(LawfulSubscriber::beforeTick);
        scheduler.tick();
    }

    void check() {
        all.forEach(LawfulSubscriber::check);
    }

    /** Whether somebody is subscribed to {@code view}. */
    boolean uses(View<?, ?> view) {
        return users(view) > 0;
    }

    long users(View<?, ?> view) {
        return all.stream().filter(subscriber -> subscriber.view() == view && !subscriber.isOver()).count();
    }

    void checkAtRest() {
        rest();
        all.forEach(LawfulSubscriber::checkAtRest);
        tick();
        rest();
        all.forEach(LawfulSubscriber::checkResync);
    }

    private void rest() {
        all.forEach(subscriber -> subscriber.request(10_000));
        scheduler.runAll();
    }

    void leave() {
        all.forEach(LawfulSubscriber::cancel);
    }
}
