package io.reactiveinformer.cloud;

import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.cloud.client.discovery.event.HeartbeatEvent;
import org.springframework.context.ApplicationEventPublisher;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Publishes a {@link HeartbeatEvent} when services appear or vanish, as the routes of Spring Cloud Gateway need it. */
final class Heartbeats implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(Heartbeats.class);

    private final ServiceCatalogue catalogue;
    private final ApplicationEventPublisher listeners;
    private final Disposable subscription;

    Heartbeats(ServiceCatalogue catalogue, ApplicationEventPublisher listeners) {
        this.catalogue = catalogue;
        this.listeners = listeners;
        this.subscription = catalogue.serviceSets().concatMap(this::publish, 1).subscribe(
                event -> {}, failure -> LOG.warn("no further heartbeats of services, since their informer has ended", failure));
    }

    /** On a thread that may block, as listeners do; none is kept between two events. */
    private Mono<Void> publish(Set<String> names) {
        return Mono.<Void>fromRunnable(() -> announce(names)).subscribeOn(Schedulers.boundedElastic());
    }

    /** A listener that throws misses this event only. */
    private void announce(Set<String> names) {
        try {
            listeners.publishEvent(new HeartbeatEvent(catalogue, names));
        } catch (Throwable thrown) { // an Error of a listener, too, must not end or block the subscription
            LOG.warn("a listener of heartbeats of services failed", thrown);
        }
    }

    @Override
    public void destroy() {
        subscription.dispose();
    }
}
