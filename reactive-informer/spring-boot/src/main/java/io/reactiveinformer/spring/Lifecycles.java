package io.reactiveinformer.spring;

import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.leader.LeaderElector;
import io.reactiveinformer.processor.RowProcessor;
import io.reactiveinformer.sharding.ShardedController;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/**
 * What starts and stops with the application. Lower phases start earlier and stop later; Boot's graceful stop of the web server has the
 * phase 1,024 below Spring's default, and the lowest of its web servers 2,048 below it.
 *
 * <table>
 * <caption>Phases, as numbers below Spring's default</caption>
 * <tr><td>512</td><td>{@link OperatorLifecycle}: controllers and managers work while the web server accepts requests</td></tr>
 * <tr><td>512</td><td>{@link ProcessorLifecycle}: so do processors of rows</td></tr>
 * <tr><td>1,024</td><td>{@link EndOfSubscriptions}: streams end when the web server begins to wait for its requests</td></tr>
 * <tr><td>4,096</td><td>{@link InformerLifecycle}: informers run before the web server and after it</td></tr>
 * <tr><td>4,096</td><td>{@link EndOfRecorders}: the last Events are written when nothing records any more</td></tr>
 * </table>
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ReactiveInformerProperties.class)
class Lifecycles {

    private static final int CONTROLLERS = SmartLifecycle.DEFAULT_PHASE - 512;
    private static final int REQUESTS_END = SmartLifecycle.DEFAULT_PHASE - 1_024; // beans of one phase are stopped at the same time
    private static final int INFORMERS = SmartLifecycle.DEFAULT_PHASE - 4_096;

    @Bean
    @ConditionalOnMissingBean
    InformerLifecycle informerLifecycle(ConfigurableListableBeanFactory beans, ReactiveInformerProperties properties) {
        return new InformerLifecycle(InformerFactories.of(beans), properties, new InformerBeans(beans, properties));
    }

    @Bean
    EndOfSubscriptions endOfSubscriptions(InformerLifecycle informers) {
        return new EndOfSubscriptions(informers);
    }

    @Bean
    @ConditionalOnMissingBean
    ProcessorLifecycle processorLifecycle(ListableBeanFactory beans, ReactiveInformerProperties properties, Environment environment) {
        return new ProcessorLifecycle(() -> beans.getBeanProvider(RowProcessor.class).orderedStream().<RowProcessor<?>>map(one -> one).toList(),
                properties, ofPhase(environment));
    }

    /** After which Spring waits no longer for the stop of a phase. */
    private static Duration ofPhase(Environment environment) {
        return Binder.get(environment).bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class).orElse(Duration.ofSeconds(30));
    }

    /** Starts and stops controllers with the application, if it has {@code reactive-informer-operator}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Controller.class)
    static class OfOperators {

        @Bean
        @ConditionalOnMissingBean
        OperatorLifecycle operatorLifecycle(ListableBeanFactory beans, ReactiveInformerProperties properties, Environment environment) {
            return new OperatorLifecycle(new OperatorBeans(beans), properties, ofPhase(environment));
        }

        @Bean
        EndOfRecorders endOfRecorders(ListableBeanFactory beans, ReactiveInformerProperties properties) {
            return new EndOfRecorders(new OperatorBeans(beans), properties.grace());
        }
    }

    /** What runs from the start of an application to its end: stopped once and for good, without blocking a thread, and never paused. */
    abstract static class LastingLifecycle implements SmartLifecycle {

        private final int phase;
        private volatile boolean running;

        /** @param phase lower ones start earlier and stop later */
        LastingLifecycle(int phase) {
            this.phase = phase;
        }

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop(Runnable callback) {
            running = false;
            end(callback);
        }

        /** Calls {@code callback} when it has stopped. A further call waits for the stop that the first call began. */
        abstract void end(Runnable callback);

        @Override
        public void stop() {
            stop(() -> {});
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        /** After a pause, as of a context between tests, all is as current as without it; a stop could not be undone. */
        @Override
        public boolean isPauseable() {
            return false;
        }

        @Override
        public int getPhase() {
            return phase;
        }
    }

    /**
     * Starts the informers before the web server accepts requests, and stops them for good: subscribers receive their pending changes, and
     * snapshots are saved. The stop blocks no thread. A context that is only paused, as a cached one between tests, leaves them running.
     */
    static final class InformerLifecycle extends LastingLifecycle implements SmartInitializingSingleton {

        private final InformerFactories informers;
        private final ReactiveInformerProperties properties;
        private final InformerBeans beans;
        private volatile boolean over;
        private boolean connected; // used by the thread that starts the application

        InformerLifecycle(InformerFactories informers, ReactiveInformerProperties properties, InformerBeans beans) {
            super(INFORMERS);
            this.informers = informers;
            this.properties = properties;
            this.beans = beans;
        }

        /** Connects the beans also if the application itself starts the factory later. */
        @Override
        public void afterSingletonsInstantiated() {
            connect();
        }

        /** Called from {@link #start} too: with lazy beans, {@link #afterSingletonsInstantiated} may not have been called. */
        private void connect() {
            if (!connected) {
                connected = true;
                beans.connect();
            }
        }

        /** The names of the handler beans that receive no more changes of {@code informer}. */
        List<String> endedHandlers(Informer<?> informer) {
            return beans.ended(informer);
        }

        @Override
        public void start() {
            if (over) {
                throw new IllegalStateException(
                        "informers that were stopped cannot be started again: make a new application context instead of starting this one "
                        + "twice");
            }
            super.start();
            connect();
            informers.start();
            Duration patience = properties.waitForSync();
            if (patience != null) {
                awaitSync(patience);
            }
        }

        private void awaitSync(Duration patience) {
            if (Schedulers.isInNonBlockingThread()) {
                throw new InformerConfigurationException(
                        "cannot wait for informers on the thread " + Thread.currentThread().getName() + ", which must not block",
                        "Remove " + ReactiveInformerProperties.PREFIX + ".wait-for-sync, or start the application on another thread.");
            }
            informers.synced(patience).block();
        }

        @Override
        void end(Runnable callback) {
            over = true;
            informers.stop(properties.grace()).doFinally(end -> callback.run()).subscribe();
        }

        @Override
        public boolean isAutoStartup() {
            return properties.autoStartup();
        }
    }

    /**
     * Stops the informers when Boot's web server begins to wait for the requests in progress. A stream of changes, which never ends by
     * itself, is then completed, and does not delay the stop of the application. Requests that only read can still do so.
     */
    static final class EndOfSubscriptions extends LastingLifecycle {

        private final InformerLifecycle informers;

        EndOfSubscriptions(InformerLifecycle informers) {
            super(REQUESTS_END);
            this.informers = informers;
        }

        @Override
        void end(Runnable callback) {
            informers.stop(callback);
        }
    }

    /** Starts the processors among the beans after the informers, and drains them before the informers stop. */
    static final class ProcessorLifecycle extends LastingLifecycle {

        private final Supplier<List<RowProcessor<?>>> processors;
        private final ReactiveInformerProperties properties;
        private final Duration grace;

        ProcessorLifecycle(Supplier<List<RowProcessor<?>>> processors, ReactiveInformerProperties properties, Duration phaseTimeout) {
            super(CONTROLLERS);
            this.processors = processors;
            this.properties = properties;
            this.grace = phaseTimeout.multipliedBy(9).dividedBy(10);
        }

        @Override
        public void start() {
            super.start();
            processors.get().forEach(RowProcessor::start);
        }

        /** Cancels what is still running a little before Spring gives up waiting. */
        @Override
        void end(Runnable callback) {
            Mono.whenDelayError(processors.get().stream().map(one -> one.drain(grace)).toList())
                    .doFinally(end -> callback.run()).subscribe();
        }

        @Override
        public boolean isAutoStartup() {
            return properties.autoStartup();
        }
    }

    /**
     * Starts the controllers and managers among the beans after the informers, and drains them before the informers stop. If there is a
     * {@link LeaderElector} bean, they work only while it leads, and it resigns when they are drained; a {@link ShardedController} works in
     * each process. A controller that the application itself runs already is left to it until the stop.
     */
    static final class OperatorLifecycle extends LastingLifecycle {

        private static final Logger LOG = LoggerFactory.getLogger(OperatorLifecycle.class);

        private final OperatorBeans operators;
        private final ReactiveInformerProperties properties;
        private final Duration phaseTimeout;
        private final Disposable.Composite leading = Disposables.composite();

        /** @param phaseTimeout after which Spring waits no longer for this stop */
        OperatorLifecycle(OperatorBeans operators, ReactiveInformerProperties properties, Duration phaseTimeout) {
            super(CONTROLLERS);
            this.operators = operators;
            this.properties = properties;
            this.phaseTimeout = phaseTimeout;
        }

        @Override
        public void start() {
            super.start();
            LeaderElector elector = operators.elector();
            if (elector == null) {
                operators.controllers().forEach(Controller::start);
                operators.managers().forEach(manager -> manager.start());
                return;
            }
            List<Mono<Void>> runs = new ArrayList<>();
            operators.controllers().forEach(controller -> {
                if (controller instanceof ShardedController) {
                    controller.start();
                } else {
                    controller.warm();
                    runs.add(controller.run());
                }
            });
            operators.managers().forEach(manager -> {
                manager.warm();
                runs.add(manager.run());
            });
            if (!runs.isEmpty()) {
                leading.add(elector.whileLeading(term -> Mono.whenDelayError(runs.stream().map(OperatorLifecycle::unlessRun).toList()))
                        .doOnError(failure -> LOG.error("the controllers have failed, and start again in a moment", failure))
                        .retryWhen(Retry.backoff(Long.MAX_VALUE, Duration.ofSeconds(1)).maxBackoff(Duration.ofMinutes(1))
                                .transientErrors(true))
                        .subscribe());
            }
        }

        private static Mono<Void> unlessRun(Mono<Void> run) {
            return run.onErrorResume(IllegalStateException.class, runsAlready -> {
                LOG.info("{}; the application itself runs it", runsAlready.getMessage());
                return Mono.never();
            });
        }

        /** Cancels what is still running a little before Spring gives up waiting. */
        @Override
        void end(Runnable callback) {
            Duration all = phaseTimeout.multipliedBy(9).dividedBy(10);
            Duration grace = all.multipliedBy(2).dividedBy(3);
            List<Mono<Void>> drained = Stream.concat(
                    operators.controllers().stream().map(controller -> controller.drain(grace)),
                    operators.managers().stream().map(manager -> manager.stop(grace.dividedBy(2)))).toList();
            Mono.whenDelayError(drained)
                    .then(Mono.defer(() ->
                            Mono.whenDelayError(operators.electors().values().stream().map(LeaderElector::resign).toList())))
                    .timeout(all)
                    .doFinally(end -> {
                        leading.dispose();
                        callback.run();
                    })
                    .subscribe(nothing -> {}, failure -> LOG.warn("the controllers did not end as they should: {}", failure.toString()));
        }

        @Override
        public boolean isAutoStartup() {
            return properties.autoStartup();
        }
    }

    /**
     * Lets recorders write the Events that wait, after the controllers are drained and Boot's web servers have answered: both record Events
     * until then.
     */
    static final class EndOfRecorders extends LastingLifecycle {

        private final OperatorBeans operators;
        private final Duration grace;

        EndOfRecorders(OperatorBeans operators, Duration grace) {
            super(INFORMERS);
            this.operators = operators;
            this.grace = grace;
        }

        @Override
        void end(Runnable callback) {
            Mono.whenDelayError(operators.recorders().values().stream().map(recorder -> recorder.close(grace)).toList())
                    .doFinally(end -> callback.run())
                    .subscribe();
        }
    }
}
