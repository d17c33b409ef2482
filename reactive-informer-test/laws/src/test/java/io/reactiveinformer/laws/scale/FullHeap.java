package io.reactiveinformer.laws.scale;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Five informers in a process another part of which fills the heap, three times; says each time whether all have become current again. */
final class FullHeap {

    private static final ResourceType<V1ConfigMap> TYPE = ResourceType.of(V1ConfigMap.class);
    private static final int ROUNDS = 3;
    private static final Duration WITHIN = Duration.ofMinutes(1);

    private FullHeap() {}

    public static void main(String[] arguments) throws InterruptedException {
        long full = Long.parseLong(arguments[1]) * 1_000_000;
        var client = KubernetesClient.create(ClusterConfig.of(arguments[0]));
        var factory = InformerFactory.create(client);
        List<Informer<V1ConfigMap>> informers = IntStream.range(0, 5).mapToObj(number -> factory.of(TYPE, Namespaces.of("ns-" + number)))
                .toList();
        factory.start();
        informers.forEach(informer -> informer.synced().block(Duration.ofSeconds(60)));
        for (int round = 0; round < ROUNDS; round++) {
            fill(full);
            long free = System.nanoTime();
            String current = awaitCurrent(informers, client);
            System.out.println("round-" + round + " " + current + " after " + (System.nanoTime() - free) / 1_000_000 + " ms");
        }
        Runtime.getRuntime().halt(0);
    }

    /** Down to the last bytes, again and again, so that whatever is let go of meanwhile is taken, too. */
    private static void fill(long nanos) throws InterruptedException {
        var done = new CountDownLatch(1);
        new Thread(() -> {
            Object[] last = null;
            long end = System.nanoTime() + nanos;
            int size = 1 << 20;
            while (System.nanoTime() < end) {
                try {
                    Object[] next = new Object[size / 4];
                    next[0] = last;
                    last = next;
                } catch (OutOfMemoryError none) {
                    size = size > 64 ? size / 2 : 1024;
                }
            }
            if (last != null) {
                last[0] = null;
            }
            done.countDown();
        }, "filler").start();
        while (done.getCount() > 0) {
            try {
                done.await();
            } catch (OutOfMemoryError full) { // waiting needs memory, too
                Thread.onSpinWait();
            }
        }
    }

    /** Another request tells what the server has now. */
    private static String awaitCurrent(List<Informer<V1ConfigMap>> informers, KubernetesClient client) throws InterruptedException {
        long limit = System.nanoTime() + WITHIN.toNanos();
        String missing = missing(informers, client);
        while (!missing.isEmpty() && System.nanoTime() < limit) {
            Thread.sleep(1000);
            missing = missing(informers, client);
        }
        if (missing.isEmpty()) {
            return "current";
        }
        Thread.getAllStackTraces().forEach((thread, frames) -> System.out.println(
                thread.getName() + " " + thread.getState() + Stream.of(frames).map(frame -> "\n\tat " + frame)
                        .collect(Collectors.joining())));
        return missing;
    }

    /** As {@link #whatIsMissing}; also while there is no memory to say it in. */
    private static String missing(List<Informer<V1ConfigMap>> informers, KubernetesClient client) {
        try {
            return whatIsMissing(informers, client);
        } catch (OutOfMemoryError still) {
            return "memory to look";
        }
    }

    private static String whatIsMissing(List<Informer<V1ConfigMap>> informers, KubernetesClient client) {
        StringBuilder missing = new StringBuilder();
        for (Informer<V1ConfigMap> informer : informers) {
            try {
                ObjectKey key = ObjectKey.of(informer.namespaces().names().iterator().next(), "clock");
                V1ConfigMap there = Objects.requireNonNull(client.resources(TYPE).get(key).block(Duration.ofSeconds(5)));
                InformerStatus status = informer.status().blockFirst(Duration.ofSeconds(5));
                String version = Objects.requireNonNull(Objects.requireNonNull(there.getMetadata()).getResourceVersion());
                informer.atLeast(key, version).block(Duration.ofSeconds(3));
                if (status == null || status.state() != State.LIVE) {
                    missing.append(informer.namespaces()).append(": ").append(status).append("; ");
                }
            } catch (Throwable failure) {
                missing.append(informer.namespaces()).append(": ").append(failure).append("; ");
            }
        }
        return missing.toString();
    }
}
