package io.reactiveinformer.demo;

import io.reactiveinformer.client.RequestObserver;
import io.reactiveinformer.controller.ReconcileRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import reactor.util.context.ContextView;

/** Collects the successful writes of each running reconcile, except Events. A request's Reactor context says to which one it belongs. */
final class Writes implements RequestObserver {

    private static final Map<String, String> PAST = Map.of(
            "create", "created", "update", "updated", "patch", "patched", "apply", "applied", "delete", "deleted");

    private final Map<ReconcileRequest<?>, List<Write>> running = new ConcurrentHashMap<>();

    @Override
    public Consumer<Outcome> observe(Request request, ContextView asking, BiConsumer<String, String> headers) {
        String past = PAST.get(request.verb());
        ReconcileRequest<?> reconcile = asking.getOrDefault(ReconcileRequest.class, null);
        if (past == null || reconcile == null || request.resource().startsWith("events.")) {
            return outcome -> {};
        }
        var write = new Write(past, request.resource());
        return outcome -> {
            if (outcome.status() / 100 == 2) {
                running.compute(reconcile, (key, writes) -> with(write, writes == null ? List.of() : writes));
            }
        };
    }

    private static List<Write> with(Write write, List<Write> writes) {
        var all = new ArrayList<>(writes);
        all.add(write);
        return all;
    }

    /** What {@code reconcile} has written, in words: {@code created 3 pods, updated its status}; empty if nothing. Forgets it. */
    String of(ReconcileRequest<?> reconcile) {
        List<Write> writes = running.remove(reconcile);
        var counts = new LinkedHashMap<Write, Integer>();
        (writes == null ? List.<Write>of() : writes).forEach(write -> counts.merge(write, 1, Integer::sum));
        return counts.entrySet().stream().map(each -> each.getKey().words(each.getValue())).collect(Collectors.joining(", "));
    }

    /** @param resource {@code pods.v1}, or {@code deployments.v1.apps/status} */
    private record Write(String past, String resource) {

        String words(int count) {
            if (resource.endsWith("/status")) {
                return past + " its status";
            }
            String plural = resource.replaceFirst("[./].*", "");
            return past + " " + count + " " + (count == 1 ? plural.substring(0, plural.length() - 1) : plural);
        }
    }
}
