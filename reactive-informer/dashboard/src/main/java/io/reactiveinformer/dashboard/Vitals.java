package io.reactiveinformer.dashboard;

import io.reactiveinformer.dashboard.Message.Mark;
import io.reactiveinformer.dashboard.Message.Stand;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Stream;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Schedulers;

/**
 * Counts the changes of one table, and the lists and resumed watches of its informer, and keeps the latest of them. Subscribes to the rows,
 * so that they are current when a browser connects.
 */
final class Vitals implements Disposable {

    private final Table table;
    private final AtomicLong changes = new AtomicLong();
    private final Disposable.Composite following = Disposables.composite();
    private volatile Story story = Story.begin(InformerStatus.idle(now()));

    /**
     * @param heard when the status was received
     * @param lists number of lists that began
     * @param marks the latest ones, oldest first
     */
    private record Story(InformerStatus status, Instant heard, int lists, int resumes, List<Marked> marks) {

        private static final int KEPT = 20;

        static Story begin(InformerStatus status) {
            return new Story(status, now(), 0, 0, List.of());
        }

        Story then(InformerStatus next) {
            State before = status.state();
            boolean listsNow = next.state() == State.LISTING && before != State.LISTING;
            boolean resumed = next.state() == State.LIVE && before == State.DISRUPTED;
            String kind = next.state() == State.DISRUPTED && before != State.DISRUPTED ? "disruption"
                    : listsNow && lists > 0 ? "relist" : resumed ? "resume" : "";
            List<Marked> all = new ArrayList<>(marks);
            if (!kind.isEmpty()) {
                long id = marks.isEmpty() ? 1 : marks.get(marks.size() - 1).id() + 1;
                all.add(new Marked(id, kind, now(), causeOf(kind.equals("disruption") || next.cause() != null ? next : status)));
            }
            return new Story(next, now(), lists + (listsNow ? 1 : 0), resumes + (resumed ? 1 : 0),
                    List.copyOf(all.subList(Math.max(0, all.size() - KEPT), all.size())));
        }
    }

    private record Marked(long id, String kind, Instant at, String cause) {}

    Vitals(Table table) {
        this.table = table;
        following.add(table.rows().changes(Delivery.conflated().named("dashboard")).filter(Vitals::isNews)
                .onErrorComplete() // its status says why
                .subscribe(change -> changes.incrementAndGet()));
        following.add(table.informer().status().subscribe(status -> story = story.then(status)));
    }

    /** The number of changes of rows so far. */
    long changes() {
        return changes.get();
    }

    Table table() {
        return table;
    }

    /** @param optional whether it is no problem that the informer is not live */
    Stand stand(Predicate<? super Informer<?>> optional) {
        Story now = story;
        InformerStatus status = now.status();
        boolean current = status.staleSince() == null && status.awaitedSince() == null;
        Duration retry = status.retryIn() == null ? null : status.retryIn().minus(Duration.between(now.heard(), now()));
        return new Stand(table.name(), table.informer().description(), status.state(), optional.test(table.informer()), status.synced(),
                current ? null : status.staleness(now()).toSeconds(), table.informer().snapshot().size(),
                Math.max(0, now.lists() - 1), now.resumes(), status.attempt(), status.cause() == null ? null : causeOf(status),
                retry == null ? null : Math.max(0, retry.plusMillis(500).toSeconds()), status.stale().size());
    }

    /** What happened in the last {@code period}. */
    Stream<Mark> marks(Duration period) {
        return story.marks().stream()
                .map(mark -> new Mark(table.name(), mark.id(), mark.kind(), Duration.between(mark.at(), now()).toSeconds(), mark.cause()))
                .filter(mark -> mark.ago() < period.toSeconds());
    }

    private static String causeOf(InformerStatus status) {
        return status.cause() == null ? "" : String.valueOf(status.cause().getMessage());
    }

    private static Instant now() {
        return Instant.ofEpochMilli(Schedulers.parallel().now(TimeUnit.MILLISECONDS));
    }

    private static boolean isNews(Change<?, ?> change) {
        return !(change instanceof Change.Synced || change instanceof Change.Added<?, ?> added && added.initial());
    }

    @Override
    public void dispose() {
        following.dispose();
    }
}
