package io.reactiveinformer.errors;

import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * A scheduler with a bomb in each of its parts: {@code <name>.now}, {@code <name>.schedule} (also with a delay or a period), {@code
 * <name>.createWorker},
 * {@code <name>.worker} (a worker is given a task), and {@code <name>.run} (a worker runs one).
 *
 * @param around what a task is put in
 */
public record BombedScheduler(Scheduler scheduler, Bomb bomb, String name, UnaryOperator<Runnable> around) implements Scheduler {

    /** One without a bomb, whose tasks are put into {@code around}. */
    public static Scheduler around(Scheduler scheduler, UnaryOperator<Runnable> around) {
        return new BombedScheduler(scheduler, new Bomb(), "", around);
    }

    /** What its tasks throw is lost, as with all schedulers, which log it. */
    public static BombedScheduler losing(Scheduler scheduler, Bomb bomb, String name) {
        return new BombedScheduler(scheduler, bomb, name, task -> () -> {
            try {
                task.run();
            } catch (Throwable lost) {
                // as schedulers do, which log it
            }
        });
    }

    /** What its tasks throw hits the caller that moves the clock: for code that contains it. */
    public static BombedScheduler strict(Scheduler scheduler, Bomb bomb, String name) {
        return new BombedScheduler(scheduler, bomb, name, UnaryOperator.identity());
    }

    /** One without a bomb, which keeps what its tasks throw from the caller that moves the clock. */
    public static BombedScheduler losing(Scheduler scheduler) {
        return losing(scheduler, new Bomb(), "");
    }

    @Override
    public long now(TimeUnit unit) {
        bomb.at(name + ".now");
        return scheduler.now(unit);
    }

    @Override
    public Disposable schedule(Runnable task) {
        bomb.at(name + ".schedule");
        return scheduler.schedule(around.apply(task));
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        bomb.at(name + ".schedule");
        return scheduler.schedule(around.apply(task), delay, unit);
    }

    @Override
    public Disposable schedulePeriodically(Runnable task, long initialDelay, long period, TimeUnit unit) {
        bomb.at(name + ".schedule");
        return scheduler.schedulePeriodically(around.apply(task), initialDelay, period, unit);
    }

    @Override
    public Worker createWorker() {
        bomb.at(name + ".createWorker");
        return new BombedWorker(scheduler.createWorker(), bomb, name, around);
    }

    private record BombedWorker(Worker worker, Bomb bomb, String name, UnaryOperator<Runnable> around) implements Worker {

        private Runnable bombed(Runnable task) {
            bomb.at(name + ".worker");
            return around.apply(() -> {
                bomb.at(name + ".run");
                task.run();
            });
        }

        @Override
        public Disposable schedule(Runnable task) {
            return worker.schedule(bombed(task));
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            return worker.schedule(bombed(task), delay, unit);
        }

        @Override
        public Disposable schedulePeriodically(Runnable task, long initialDelay, long period, TimeUnit unit) {
            return worker.schedulePeriodically(bombed(task), initialDelay, period, unit);
        }

        @Override
        public void dispose() {
            worker.dispose();
        }

        @Override
        public boolean isDisposed() {
            return worker.isDisposed();
        }
    }
}
