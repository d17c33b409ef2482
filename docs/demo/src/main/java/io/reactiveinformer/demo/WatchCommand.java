package io.reactiveinformer.demo;

import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.Selector;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** {@code ./informer watch}: the existing objects, then each change, a line each. */
@Command(name = "watch", mixinStandardHelpOptions = true, sortOptions = false, usageHelpAutoWidth = true,
        description = "Shows the existing objects, then each change, a line each. Without --server and --kubeconfig it starts an "
                + "embedded server with a small cluster in motion, and prints its address for kubectl.",
        footer = {"", "Exit code: 0; 1 if the time was over before the first complete state; 2 for an invalid resource or argument."})
final class WatchCommand implements Callable<Integer> {

    @Parameters(arity = "0..1", paramLabel = "RESOURCE", defaultValue = "pods",
            description = "pods, deployments.apps, widgets.v1.example.com; ${DEFAULT-VALUE} unless given.")
    String resource = "pods";

    @Option(names = {"-n", "--namespace"}, paramLabel = "NS", description = "Objects of this namespace only.")
    @Nullable String namespace;

    @Option(names = {"-A", "--all-namespaces"}, description = "Objects of all namespaces; the default.")
    boolean allNamespaces;

    @Option(names = {"-l", "--selector"}, paramLabel = "SELECTOR", defaultValue = "", description = "By labels: app=web,tier!=cache.")
    String labels = "";

    @Option(names = "--field-selector", paramLabel = "S", defaultValue = "", description = "By fields: spec.nodeName=node-7.")
    String fields = "";

    @Mixin
    ClusterOptions cluster = new ClusterOptions();

    @Option(names = {"-o", "--output"}, paramLabel = "FORMAT", defaultValue = "text", description = "text or json (one object a line).")
    Format format = Format.TEXT;

    @Option(names = "--count", paramLabel = "N", description = "End after N changes.")
    @Nullable Long count;

    @Option(names = "--duration", paramLabel = "TIME", description = "End after this time: 30s, 1m30s.")
    @Nullable Duration duration;

    @Option(names = "--wait", description = "If the server has no such resource, wait until it is defined.")
    boolean wait;

    @Option(names = "--snapshot", description = "Show all objects at the end.")
    boolean snapshot;

    @Option(names = "--page-size", paramLabel = "N", description = "List this many objects at a time.")
    @Nullable Integer pageSize;

    private final Surroundings surroundings;

    WatchCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        Wish wish = wish();
        Mono<Void> end = surroundings.end(duration);
        Scheduler output = Schedulers.newSingle("output", true);
        try (Connection connection = cluster.connect(() -> Connection.toEmbeddedServer(surroundings), end)) {
            if (connection == null) {
                surroundings.say(
                        "never synced: the credential did not arrive in that time; does the credential plugin of the kubeconfig hang?");
                return ExitCode.NOT_SYNCED;
            }
            var watch = new Watch(wish, connection.client(), format.printer(surroundings), output);
            boolean seen = Boolean.TRUE.equals(watch.run(end).block());
            return seen ? ExitCode.OK : notSynced(watch.lastCause());
        } catch (OutputClosedException nobodyReads) {
            return ExitCode.OK;
        } finally {
            output.dispose();
        }
    }

    private Wish wish() {
        if (namespace != null && allNamespaces) {
            throw new UsageException("write either -n NS or -A");
        }
        if (count != null && count < 1) {
            throw new UsageException("--count must be 1 or more, was " + count);
        }
        if (pageSize != null && pageSize < 1) {
            throw new UsageException("--page-size must be 1 or more, was " + pageSize);
        }
        if (namespace != null && (namespace.isEmpty() || namespace.contains("/"))) {
            throw new UsageException("-n goes with the name of a namespace, was \"" + namespace + "\"; for every namespace write -A");
        }
        try {
            Namespaces namespaces = namespace == null ? Namespaces.all() : Namespaces.of(namespace);
            return new Wish(ResourceName.parse(resource), namespaces, new Selector(labels, fields), wait, pageSize, count, snapshot);
        } catch (IllegalArgumentException refused) {
            throw new UsageException(String.valueOf(refused.getMessage()));
        }
    }

    private int notSynced(@Nullable KubernetesException cause) {
        surroundings.say("never synced" + (cause == null ? "" : ": " + cause.getMessage()));
        return ExitCode.NOT_SYNCED;
    }
}
