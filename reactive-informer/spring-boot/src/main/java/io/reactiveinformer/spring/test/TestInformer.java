package io.reactiveinformer.spring.test;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.source.ListerWatcher;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/**
 * Informers of given objects, for unit tests of classes that read an informer, such as a controller of WebFlux. They need no server and no
 * application context. For changes and faults use a {@code FakeApiServer}.
 */
public final class TestInformer {

    private static final String VERSION = "1";
    private static final Duration BOOKMARKS = Duration.ofMinutes(1);

    private TestInformer() {}

    /**
     * A synced informer of these objects. Its listers, indexes, handlers and {@code changes()} work as always. Blocks until it is synced,
     * which takes no request. It needs not be stopped.
     *
     * @param objects with the namespace and name in their metadata; those without a version get version 1
     * @throws IllegalArgumentException if an object has no name, or no metadata, as most projections have none
     */
    @SafeVarargs
    public static <T> Informer<T> of(ResourceType<T> type, T... objects) {
        Map<ObjectKey, T> byKey = new LinkedHashMap<>();
        for (T object : objects) {
            V1ObjectMeta metadata = PartialObjectMetadata.of(object).metadata();
            if (metadata.getName() == null) {
                throw new IllegalArgumentException("an object of an informer has a name in its metadata, was " + object);
            }
            byKey.put(ObjectKey.of(metadata.getNamespace(), metadata.getName()), object);
        }
        return of(type, byKey);
    }

    /** As {@link #of(ResourceType, Object[])}, for objects of any class. */
    public static <T> Informer<T> of(ResourceType<T> type, Map<ObjectKey, T> objects) {
        return of(type, objects, ReflectorOptions.defaults());
    }

    static <T> Informer<T> of(ResourceType<T> type, Map<ObjectKey, T> objects, ReflectorOptions options) {
        Informer<T> informer = Informer.over(new Given<>(type, new LinkedHashMap<>(objects), options.timer()), options);
        informer.start();
        informer.synced().block();
        return informer;
    }

    private static <T> Versioned<T> versioned(ResourceType<T> type, ObjectKey key, T object) {
        if (type.form() == ResourceType.Form.PROJECTED) {
            return new Versioned<>("uid-" + key, VERSION, object);
        }
        V1ObjectMeta metadata = PartialObjectMetadata.of(object).metadata();
        return new Versioned<>(
                Objects.requireNonNullElse(metadata.getUid(), "uid-" + key),
                Objects.requireNonNullElse(metadata.getResourceVersion(), VERSION),
                object);
    }

    /** Answers each list with the objects, and sends no change. Sends bookmarks as a server does: silence would be a fault. */
    private record Given<T>(ResourceType<T> type, Map<ObjectKey, T> objects, Scheduler timer) implements ListerWatcher<T> {

        @Override
        public Identity identity() {
            return Identity.of(type.in(Namespaces.all()), Namespaces.all());
        }

        @Override
        public Flux<ObjectEvent<T>> list(ListOptions options, Reading<T> reading) {
            return Flux.fromIterable(objects.entrySet())
                    .<ObjectEvent<T>>map(each -> new ObjectEvent.Applied<>(each.getKey(), versioned(type, each.getKey(), each.getValue())))
                    .concatWithValues(new ObjectEvent.PageEnd<>(version(), null));
        }

        /** The newest version of the objects: a list is never older than what is in it. */
        private String version() {
            return objects.entrySet().stream().map(each -> versioned(type, each.getKey(), each.getValue()).resourceVersion())
                    .filter(version -> version != null && version.matches("\\d{1,18}"))
                    .max((one, other) -> Long.compare(Long.parseLong(one), Long.parseLong(other))).orElse(VERSION);
        }

        @Override
        public Flux<ObjectEvent<T>> watch(WatchOptions options, Reading<T> reading) {
            return Flux.interval(BOOKMARKS, timer).<ObjectEvent<T>>map(minute -> new ObjectEvent.Bookmark<>(version(), false))
                    .startWith(new ObjectEvent.Opened<>());
        }
    }
}
