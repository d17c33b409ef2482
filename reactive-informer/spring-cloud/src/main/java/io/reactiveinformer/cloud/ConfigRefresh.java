package io.reactiveinformer.cloud;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.config.ConfigDataResourceNotFoundException;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.cloud.context.refresh.ContextRefresher;
import org.springframework.context.ApplicationListener;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * Refreshes the application after ConfigMaps and Secrets have changed: one refresh for all changes within a delay, on a thread that may
 * block. Begins when the application is ready, with what has changed since its properties were loaded. A refresh that fails is tried again
 * after the delay, then after twice that, up to once a minute; a further change causes a try after the delay,
 * and lengthens no pause.
 */
final class ConfigRefresh implements ApplicationListener<ApplicationReadyEvent>, DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigRefresh.class);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final WatchedConfig config;
    private final ContextRefresher refresher;
    private final Duration delay;
    private final Scheduler scheduler;
    private final Planned afterChange = new Planned();
    private final Planned afterFailure = new Planned();
    private Duration pause; // before the next try, if this one fails; guarded by this

    /** @param scheduler measures the delay, and may be blocked */
    ConfigRefresh(WatchedConfig config, ContextRefresher refresher, Duration delay, Scheduler scheduler) {
        this.config = config;
        this.refresher = refresher;
        this.delay = delay;
        this.scheduler = scheduler;
        this.pause = firstPause();
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent ready) {
        config.onChange(this::changed);
        changed();
    }

    private void changed() {
        if (!config.stale().isEmpty()) {
            afterChange.in(delay);
        }
    }

    private synchronized void refresh() {
        List<ConfigSource> changed = config.stale();
        if (changed.isEmpty()) {
            return; // changed and changed back, or refreshed since
        }
        try {
            config.beginRefresh();
            Set<String> properties = refresher.refresh();
            config.dropUnused();
            pause = firstPause();
            LOG.info("refreshed after a change of {}: {} properties changed", changed, properties.size());
        } catch (Throwable thrown) { // an Error of a bean, too, must not end later refreshes
            changed.forEach(ConfigSource::markStale);
            LOG.warn("the refresh after a change of {} failed, and is tried again within {}: beans may have old properties: {}",
                    changed, pause, reason(thrown));
            if (afterFailure.in(pause)) { // otherwise a change caused this try during the pause, which is not lengthened by that
                pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
            }
        }
    }

    /** The message only of failures that are known not to quote a value. */
    private static String reason(Throwable thrown) {
        return thrown instanceof ConfigNotReadException || thrown instanceof ConfigDataResourceNotFoundException
                ? String.valueOf(thrown.getMessage()) : thrown.getClass().getName();
    }

    private Duration firstPause() {
        return shorter(delay.isZero() ? Duration.ofMillis(1) : delay, LONGEST_PAUSE);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    @Override
    public void destroy() {
        afterChange.task.dispose();
        afterFailure.task.dispose();
    }

    /** At most one refresh that waits for its time. */
    private final class Planned {

        private final AtomicBoolean waiting = new AtomicBoolean();
        private final Disposable.Swap task = Disposables.swap();

        /** Returns false if a refresh waits already. */
        boolean in(Duration time) {
            if (!waiting.compareAndSet(false, true)) {
                return false;
            }
            try {
                task.replace(scheduler.schedule(this::run, time.toNanos(), TimeUnit.NANOSECONDS));
            } catch (Throwable refused) { // the caller is the subscription of a source, which must not end
                waiting.set(false);
                LOG.warn("no refresh until the next change: no thread for it", refused);
            }
            return true;
        }

        private void run() {
            waiting.set(false); // before anything is read, so that a later change causes another refresh
            refresh();
        }
    }
}
