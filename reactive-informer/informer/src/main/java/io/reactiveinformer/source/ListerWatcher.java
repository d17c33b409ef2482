package io.reactiveinformer.source;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.WatchEvent;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
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

    /** What is listed and watched here, for messages: {@code pods.v1 in namespace prod}. */
    String description();

    /** The part of the cluster: {@link Namespaces#all()} or one namespace. */
    Namespaces part();

    /**
     * Whether the server may present an object in another form without a new version of it, as it does with custom resources when their
     * CustomResourceDefinition changes. What is listed again is then decoded in any case, and compared with what is cached in the same
     * version. False by default.
     */
    default boolean redefinable() {
        return false;
    }

    /**
     * Whether no later try can succeed after {@code refusal}: the request itself is a mistake, which only the caller can fix. A reflector
     * that has listed nothing yet then ends with it, after three tries. False by default.
     */
    default boolean neverTakes(StatusException refusal) {
        return false;
    }

    /**
     * One object as it is at one version of the server's history, and then the end of the list; only the end if there is no such object.
     * With this small request, a reflector verifies that the server's history is still the one that it knows before it resumes after a
     * broken connection, or from a saved version.
     *
     * <p>The default sends nothing and is empty: a reflector then resumes without this proof.
     *
     * @param key of an object that was listed or watched here; null for any
     * @param resourceVersion a version that the server sent
     * @param match whether the state is that of exactly this version, or of this or a later one
     */
    default Flux<ListEvent<T>> one(@Nullable ObjectKey key, String resourceVersion, ListOptions.Match match, Known<T> known) {
        return Flux.empty();
    }

    /**
     * The first objects as they were at exactly {@code resourceVersion}, and then the end of the list, which has a continue token if there
     * are more. A reflector compares all objects of a small cache in this way.
     *
     * <p>The default sends nothing and is empty, and so should a source be for which the server would have to read many objects to find a
     * few: a reflector then uses {@link #one}.
     *
     * @param limit the most objects
     * @param resourceVersion a version that the server sent
     */
    default Flux<ListEvent<T>> firstAt(String resourceVersion, int limit, Known<T> known) {
        return Flux.empty();
    }

    /**
     * One page, as {@link io.reactiveinformer.client.ResourceClient#list}. The selector of {@code options} is ignored; this source has its
     * own.
     *
     * @param known states that are cached already, and need not be decoded again
     */
    Flux<ListEvent<T>> list(ListOptions options, Known<T> known);

    /**
     * The changes after a version, in order, as {@link io.reactiveinformer.client.ResourceClient#watch}. The selector of {@code options} is
     * ignored; this source has its own.
     *
     * @param known states that are cached already, and need not be decoded again
     */
    Flux<WatchEvent<T>> watch(WatchOptions options, Known<T> known);

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
        public String description() {
            return source.description();
        }

        @Override
        public Namespaces part() {
            return source.part();
        }

        @Override
        public boolean redefinable() {
            return source.redefinable();
        }

        @Override
        public boolean neverTakes(StatusException refusal) {
            return source.neverTakes(refusal);
        }

        @Override
        public Flux<ListEvent<T>> one(@Nullable ObjectKey key, String resourceVersion, ListOptions.Match match, Known<T> known) {
            return source.one(key, resourceVersion, match, known);
        }

        @Override
        public Flux<ListEvent<T>> firstAt(String resourceVersion, int limit, Known<T> known) {
            return source.firstAt(resourceVersion, limit, known);
        }

        @Override
        public Flux<ListEvent<T>> list(ListOptions options, Known<T> known) {
            return source.list(options, known);
        }

        @Override
        public Flux<WatchEvent<T>> watch(WatchOptions options, Known<T> known) {
            return source.watch(options, known);
        }

        @Override
        public String toString() {
            return source.toString();
        }
    }
}
