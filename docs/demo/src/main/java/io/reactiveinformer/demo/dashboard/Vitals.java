package io.reactiveinformer.demo.dashboard;

import io.reactiveinformer.demo.dashboard.Message.Stand;
import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.resource.InformerStatus.State;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Schedulers;

/**
 * Counts the changes of one table, and the lists and resumed watches of its informer. Subscribes to the rows, so that they are current when
 * a browser connects.
 */
final class Vitals implements Disposable {

    private final Table table;
    private final AtomicLong changes = new AtomicLong();
    private final Disposable.Composite following = Disposables.composite();
    private volatile Story story = new Story(InformerStatus.idle(now()), 0, 0);

    /** @param lists number of lists that began */
    private record Story(InformerStatus status, int lists, int resumes) {

        Story then(InformerStatus next) {
            boolean lists = next.state() == State.LISTING && status.state() != State.LISTING;
            boolean resumes = next.state() == State.LIVE && status.state() == State.DISRUPTED;
            return new Story(next, this.lists + (lists ? 1 : 0), this.resumes + (resumes ? 1 : 0));
        }
    }

    Vitals(Table table) {
        this.table = table;
        following.add(table.rows().changes(Delivery.named("dashboard")).filter(Vitals::isNews)
                .subscribe(change -> changes.incrementAndGet()));
        following.add(table.informer().status().subscribe(status -> story = story.then(status)));
    }

    /** The number of changes of rows so far. */
    long changes() {
        return changes.get();
    }

    Stand stand() {
        Story now = story;
        InformerStatus status = now.status();
        boolean current = status.staleSince() == null && status.awaitedSince() == null;
        return new Stand(table.name(), status.state(), status.synced(), current ? null : status.staleness(now()).toSeconds(),
                table.rows().snapshot().size(), Math.max(0, now.lists() - 1), now.resumes(),
                status.attempt(), status.cause() == null ? null : status.cause().getMessage());
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
