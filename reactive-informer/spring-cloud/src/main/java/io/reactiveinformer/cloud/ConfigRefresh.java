package io.reactiveinformer.cloud;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.cloud.context.refresh.ContextRefresher;
import org.springframework.context.ApplicationListener;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * Refreshes the application after ConfigMaps and Secrets have changed: one refresh for all changes within a delay, on a thread that may
 * block. Begins when the application is ready, with what has changed since its properties were loaded.
 */
final class ConfigRefresh implements ApplicationListener<ApplicationReadyEvent>, DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigRefresh.class);

    private final WatchedConfig config;
    private final ContextRefresher refresher;
    private final Duration delay;
    private final Scheduler scheduler;
    private final AtomicBoolean waiting = new AtomicBoolean();
    private final Disposable.Swap next = Disposables.swap();

    /** @param scheduler measures the delay, and may be blocked */
    ConfigRefresh(WatchedConfig config, ContextRefresher refresher, Duration delay, Scheduler scheduler) {
        this.config = config;
        this.refresher = refresher;
        this.delay = delay;
        this.scheduler = scheduler;
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent ready) {
        config.onChange(this::changed);
        changed();
    }

    private void changed() {
        if (!config.stale().isEmpty() && waiting.compareAndSet(false, true)) {
            next.replace(scheduler.schedule(this::refresh, delay.toNanos(), TimeUnit.NANOSECONDS));
        }
    }

    private void refresh() {
        waiting.set(false); // before anything is read, so that a later change causes another refresh
        List<ConfigSource> changed = config.stale();
        if (changed.isEmpty()) {
            return; // changed and changed back
        }
        try {
            Set<String> properties = refresher.refresh();
            LOG.info("refreshed after a change of {}: {} properties changed", changed, properties.size());
        } catch (Throwable thrown) { // an Error of a bean, too, must not end later refreshes; a cause may quote a value
            LOG.warn("a change of {} did not reach all beans: {}", changed, thrown.toString());
        }
    }

    @Override
    public void destroy() {
        next.dispose();
    }
}
