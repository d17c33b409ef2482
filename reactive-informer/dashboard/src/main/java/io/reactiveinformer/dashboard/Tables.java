package io.reactiveinformer.dashboard;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeCondition;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.dashboard.Row.Tone;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.json.InformerModule;
import io.reactiveinformer.resource.PartialObjectMetadata;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The functions that make a row of an object. Objects that look the same have equal rows. */
final class Tables {

    private static final List<String> STATUS = List.of("Status");
    private static final JsonMapper JSON = JsonMapper.builder().addModule(new InformerModule()).build();

    /** By the description of their informers, up to the namespaces. */
    private static final Map<String, Shape<?>> SHAPES = Map.of(
            "pods.v1", new Shape<>(V1Pod.class, Tables::pod, "Status", "Ready", "Restarts", "Node", "Image"),
            "deployments.v1.apps", new Shape<>(V1Deployment.class, Tables::deployment, "Ready", "Updated", "Image"),
            "jobs.v1.batch", new Shape<>(V1Job.class, Tables::job, "Status", "Succeeded", "Failed"),
            "nodes.v1", new Shape<>(V1Node.class, Tables::node, "Status", "Version"),
            "events.v1.events.k8s.io", new Shape<>(EventsV1Event.class, Tables::event, "Reason", "Object", "Message", "Count"));

    private Tables() {}

    /** The row of one kind of objects, with columns of its own. */
    private record Shape<T>(Class<T> model, Function<T, Row> row, List<String> columns) {

        Shape(Class<T> model, Function<T, Row> row, String... columns) {
            this(model, row, List.of(columns));
        }

        /** A projection is shown as an object of another type. */
        Row of(Object object) {
            return model.isInstance(object) && !Secrets.isOne(object) ? row.apply(model.cast(object)) : other(object, columns.size());
        }
    }

    /** @param taken names of other tables */
    static Table of(Informer<?> informer, Set<String> taken) {
        String type = informer.description().replaceFirst(" .*", "");
        String kind = type.replaceFirst("\\..*", "");
        String title = kind.isEmpty() ? informer.description() : kind.substring(0, 1).toUpperCase(Locale.ROOT) + kind.substring(1);
        String name = Stream.concat(Stream.of(title, informer.description()),
                IntStream.iterate(2, number -> number + 1).mapToObj(number -> informer.description() + " #" + number))
                .filter(one -> !taken.contains(one)).findFirst().orElseThrow();
        boolean secret = Secrets.areOf(informer);
        Shape<?> shape = SHAPES.get(type);
        List<String> columns = secret ? List.of() : shape == null ? STATUS : shape.columns();
        Function<Object, Row> row = secret ? object -> nameOnly(0)
                : shape == null ? object -> other(object, STATUS.size()) : shape::of;
        return new Table(name, kind, columns, informer, informer.map(row));
    }

    private static Row nameOnly(int columns) {
        return new Row(Map.of(), 0, Tone.GOOD, Collections.nCopies(columns, ""));
    }

    /** An object of any type: its first column is the status, if there is one. */
    private static Row other(Object object, int columns) {
        if (Secrets.isOne(object)) {
            return nameOnly(columns);
        }
        V1ObjectMeta meta = metadata(object);
        JsonNode tree = tree(object);
        String phase = tree.at("/status/phase").asString("");
        Optional<JsonNode> ready = Stream.of("Ready", "Available")
                .flatMap(type -> tree.at("/status/conditions").valueStream().filter(one -> one.path("type").asString("").equals(type)))
                .findFirst();
        String value = ready.map(one -> one.path("status").asString("")).orElse("");
        String type = ready.map(one -> one.path("type").asString("")).orElse("");
        String state = meta.getDeletionTimestamp() != null ? "Terminating"
                : value.equals("True") ? type : value.equals("False") ? "Not" + type : value.isEmpty() ? phase : type + " unknown";
        Tone tone = state.equals("Terminating") || state.endsWith(" unknown") || state.equals("Pending") ? Tone.BUSY
                : value.equals("False") || value.isEmpty() && Set.of("Failed", "Lost", "Error").contains(phase) ? Tone.BAD : Tone.GOOD;
        List<String> cells = new ArrayList<>(Collections.nCopies(columns, ""));
        cells.set(0, state);
        return new Row(labels(meta), millis(meta.getCreationTimestamp()), tone, cells);
    }

    private static V1ObjectMeta metadata(Object object) {
        try {
            return PartialObjectMetadata.of(object).metadata();
        } catch (IllegalArgumentException noneAtAll) { // a projection to something else
            return new V1ObjectMeta();
        }
    }

    /** The object as the server would write it; missing if its class cannot be written. */
    static JsonNode tree(Object object) {
        try {
            return object instanceof JsonNode tree ? tree : JSON.readTree(JSON.writeValueAsBytes(object));
        } catch (JacksonException notWritable) {
            return JSON.missingNode();
        }
    }

    private static Row pod(V1Pod pod) {
        List<V1ContainerStatus> containers = pod.getStatus() == null ? List.of() : orNone(pod.getStatus().getContainerStatuses());
        int wanted = pod.getSpec() == null ? 0 : orNone(pod.getSpec().getContainers()).size();
        long ready = containers.stream().filter(container -> Boolean.TRUE.equals(container.getReady())).count();
        int restarts = containers.stream().mapToInt(container -> orZero(container.getRestartCount())).sum();
        return row(pod, PodState.tone(pod, ready == wanted), PodState.of(pod), ready + "/" + wanted, Integer.toString(restarts),
                pod.getSpec() == null ? "" : text(pod.getSpec().getNodeName()), image(pod));
    }

    private static String image(V1Pod pod) {
        return pod.getSpec() == null || orNone(pod.getSpec().getContainers()).isEmpty()
                ? "" : text(pod.getSpec().getContainers().get(0).getImage());
    }

    private static Row deployment(V1Deployment deployment) {
        var spec = deployment.getSpec();
        var status = deployment.getStatus();
        int wanted = spec == null || spec.getReplicas() == null ? 1 : spec.getReplicas();
        int ready = status == null ? 0 : orZero(status.getReadyReplicas());
        int updated = status == null ? 0 : orZero(status.getUpdatedReplicas());
        var template = spec == null ? null : spec.getTemplate().getSpec();
        String image = template == null || orNone(template.getContainers()).isEmpty()
                ? "" : text(template.getContainers().get(0).getImage());
        Tone tone = ready == wanted && updated == wanted ? Tone.GOOD : ready == 0 ? Tone.BAD : Tone.BUSY;
        return row(deployment, tone, ready + "/" + wanted, Integer.toString(updated), image);
    }

    private static Row job(V1Job job) {
        var status = job.getStatus();
        int wanted = job.getSpec() == null || job.getSpec().getCompletions() == null ? 1 : job.getSpec().getCompletions();
        boolean failed = status != null && orNone(status.getConditions()).stream()
                .anyMatch(condition -> condition.getType().equals("Failed") && condition.getStatus().equals("True"));
        boolean complete = status != null && status.getCompletionTime() != null;
        return row(job, failed ? Tone.BAD : complete ? Tone.OVER : Tone.BUSY, failed ? "Failed" : complete ? "Complete" : "Running",
                (status == null ? 0 : orZero(status.getSucceeded())) + "/" + wanted,
                Integer.toString(status == null ? 0 : orZero(status.getFailed())));
    }

    private static Row node(V1Node node) {
        var status = node.getStatus();
        List<V1NodeCondition> conditions = status == null ? List.of() : orNone(status.getConditions());
        boolean ready = conditions.stream().anyMatch(condition -> condition.getType().equals("Ready")
                && condition.getStatus().equals("True"));
        boolean cordoned = node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
        String version = status == null || status.getNodeInfo() == null ? "" : text(status.getNodeInfo().getKubeletVersion());
        return row(node, !ready ? Tone.BAD : cordoned ? Tone.BUSY : Tone.GOOD,
                (ready ? "Ready" : "NotReady") + (cordoned ? ", SchedulingDisabled" : ""), version);
    }

    private static Row event(EventsV1Event event) {
        var about = event.getRegarding();
        var series = event.getSeries();
        Integer count = series == null ? event.getDeprecatedCount() : series.getCount();
        OffsetDateTime seen = Stream.of(series == null ? null : series.getLastObservedTime(),
                event.getDeprecatedLastTimestamp(), event.getEventTime())
                .filter(Objects::nonNull).findFirst().orElse(null);
        Row row = row(event, "Warning".equals(event.getType()) ? Tone.BAD : Tone.GOOD, text(event.getReason()),
                about == null ? "" : text(about.getKind()) + " " + text(about.getName()), text(event.getNote()),
                        Integer.toString(count == null ? 1 : count));
        return seen == null ? row : new Row(row.labels(), millis(seen), row.tone(), row.cells());
    }

    private static Row row(KubernetesObject object, Tone tone, String... cells) {
        V1ObjectMeta meta = object.getMetadata();
        return new Row(labels(meta), millis(meta.getCreationTimestamp()), tone, List.of(cells));
    }

    private static Map<String, String> labels(V1ObjectMeta meta) {
        return meta.getLabels() == null ? Map.of() : meta.getLabels();
    }

    private static long millis(@Nullable OffsetDateTime time) {
        return time == null ? 0 : time.toInstant().toEpochMilli();
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static int orZero(@Nullable Integer number) {
        return number == null ? 0 : number;
    }

    static <T> List<T> orNone(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }
}
