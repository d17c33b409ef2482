package io.reactiveinformer.source;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.resource.StatusException;
import java.time.Duration;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Lists and watches one type in one part of the cluster. Each subscription is one request. Contracts as in
 * {@link io.reactiveinformer.client.ResourceClient#list} and {@link io.reactiveinformer.client.ResourceClient#watch}.
 */
public interface ListerWatcher<T> {

    /**
     * A source of all objects of {@code type} in {@code part}: {@link Namespaces#all()} or one namespace.
     *
     * @throws IllegalArgumentException if objects of {@code type} live in no namespace and {@code part} names one
     */
    static <T> ListerWatcher<T> over(KubernetesClient client, ResourceType<T> type, Namespaces part) {
        return over(client, type, part, Selector.any());
    }

    /**
     * As {@link #over(KubernetesClient, ResourceType, Namespaces)}, of the objects that {@code selector} matches; it is sent with each list
     * and watch.
     */
    static <T> ListerWatcher<T> over(KubernetesClient client, ResourceType<T> type, Namespaces part, Selector selector) {
        return new ClientListerWatcher<>(client.resources(type), type, part, selector);
    }

    /** As {@link #polling(ListerWatcher, Duration, Scheduler)}, with the timer {@link Schedulers#parallel}. */
    static <T> ListerWatcher<T> polling(ListerWatcher<T> source, Duration period) {
        return polling(source, period, Schedulers.parallel());
    }

    /**
     * Lists {@code source} each {@code period}, and reports the differences as a watch does: for a type that cannot be watched, such as
     * those of {@code metrics.k8s.io}. Changes within a period are conflated, and an object that existed only within one is not seen. An
     * object counts as changed if its content is another one. The versions are numbers of this source, and mean nothing to the server.
     *
     * <p>Keeps the objects of the last list. For one reflector or informer at a time:
     *
     * <pre>{@code
     * Informer.over(ListerWatcher.polling(ListerWatcher.over(client, type, Namespaces.all()), Duration.ofSeconds(30)), options)
     * }</pre>
     *
     * @param source is only listed
     * @param period from the end of a list to the next one; at least 1 s
     * @param timer for the period
     * @throws IllegalArgumentException if {@code period} is less than 1 s
     */
    static <T> ListerWatcher<T> polling(ListerWatcher<T> source, Duration period, Scheduler timer) {
        return new PollingListerWatcher<>(source, period, timer);
    }

    /** What is listed and watched here. Always the same. */
    Identity identity();

    /**
     * What a source lists and watches.
     *
     * @param description for messages: {@code pods.v1 in namespace prod}
     * @param part the part of the cluster: {@link Namespaces#all()} or one namespace
     * @param redefinable whether the server may present an object in another form without a new version of it, as it does with custom
     *     resources when their CustomResourceDefinition changes. What is listed again is then decoded in any case, and compared with what
     *     is cached in the same version
     * @param past which earlier states the source lists
     */
    record Identity(String description, Namespaces part, boolean redefinable, Past past) {

        /** Of a source that is not redefinable and lists no earlier states. */
        public static Identity of(String description, Namespaces part) {
            return new Identity(description, part, false, Past.NONE);
        }
    }

    /**
     * Which states of the server's history a source lists: those of {@link ListOptions.Match#EXACT}, and of {@link ListOptions#key}. With
     * such small lists, a reflector verifies that the server's history is still the one that it knows, before it resumes after a broken
     * connection or from a saved version.
     */
    enum Past {
        /** None: a reflector requests nothing of the kind, and resumes without this proof. */
        NONE,
        /**
         * One object, by its key or any: for a source for which the server would have to read many objects to find a few, as with a
         * selector.
         */
        ONE,
        /** All objects: a reflector compares those of a small cache. */
        ALL
    }

    /**
     * Whether no later try can succeed after {@code refusal}: the request itself is a mistake, which only the caller can fix. A reflector
     * that has listed nothing yet, and has not verified a saved state either, then ends with it, after three tries. False by default.
     */
    default boolean neverTakes(StatusException refusal) {
        return false;
    }

    /**
     * One page, as {@link io.reactiveinformer.client.ResourceClient#list}. The selector of {@code options} is ignored; this source has its
     * own.
     *
     * @param reading which objects are wanted, and which are cached already and need not be decoded
     */
    Flux<ObjectEvent<T>> list(ListOptions options, Reading<T> reading);

    /**
     * The changes after a version, in order, as {@link io.reactiveinformer.client.ResourceClient#watch}. The selector of {@code options} is
     * ignored; this source has its own.
     *
     * @param reading which objects are wanted, and which are cached already and need not be decoded
     */
    Flux<ObjectEvent<T>> watch(WatchOptions options, Reading<T> reading);

    /**
     * Asks another source. For subclasses that change some of its answers: each method that they do not override is answered by that
     * source.
     */
    abstract class Forwarding<T> implements ListerWatcher<T> {

        private final ListerWatcher<T> source;

        /** @param source answers what is not overridden */
        protected Forwarding(ListerWatcher<T> source) {
            this.source = Objects.requireNonNull(source, "source");
        }

        @Override
        public Identity identity() {
            return source.identity();
        }

        @Override
        public boolean neverTakes(StatusException refusal) {
            return source.neverTakes(refusal);
        }

        @Override
        public Flux<ObjectEvent<T>> list(ListOptions options, Reading<T> reading) {
            return source.list(options, reading);
        }

        @Override
        public Flux<ObjectEvent<T>> watch(WatchOptions options, Reading<T> reading) {
            return source.watch(options, reading);
        }

        @Override
        public String toString() {
            return source.toString();
        }
    }
}
