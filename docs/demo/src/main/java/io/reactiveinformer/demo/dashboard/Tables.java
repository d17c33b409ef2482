package io.reactiveinformer.demo.dashboard;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeCondition;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.reactiveinformer.demo.dashboard.Row.Tone;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ResourceType;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The five tables, and the functions that make a row of an object. Objects that look the same have equal rows. */
final class Tables {

    private Tables() {}

    static List<Table> of(InformerFactory informers) {
        return List.of(
                Table.of("Pods", "pods", informers.of(ResourceType.of(V1Pod.class)), Tables::pod,
                        "Status", "Ready", "Restarts", "Node", "Image"),
                Table.of("Deployments", "deployments", informers.of(ResourceType.of(V1Deployment.class)), Tables::deployment,
                        "Ready", "Updated", "Image"),
                Table.of("Jobs", "jobs", informers.of(ResourceType.of(V1Job.class)), Tables::job, "Status", "Succeeded", "Failed"),
                Table.of("Nodes", "nodes", informers.of(ResourceType.of(V1Node.class)), Tables::node, "Status", "Version"),
                Table.of("Events", "events", informers.of(ResourceType.of(EventsV1Event.class)), Tables::event,
                        "Reason", "Object", "Message", "Count"));
    }

    private static Row pod(V1Pod pod) {
        V1PodStatus status = pod.getStatus();
        List<V1ContainerStatus> containers = status == null ? List.of() : orNone(status.getContainerStatuses());
        int wanted = pod.getSpec() == null ? 0 : orNone(pod.getSpec().getContainers()).size();
        long ready = containers.stream().filter(container -> Boolean.TRUE.equals(container.getReady())).count();
        int restarts = containers.stream().mapToInt(container -> orZero(container.getRestartCount())).sum();
        String state = podState(pod, containers);
        Tone tone = switch (state) {
            case "Running" -> ready == wanted ? Tone.GOOD : Tone.BUSY;
            case "Pending", "ContainerCreating", "Terminating" -> Tone.BUSY;
            case "Succeeded", "Completed" -> Tone.OVER;
            default -> Tone.BAD;
        };
        return row(pod, tone, state, ready + "/" + wanted, Integer.toString(restarts),
                pod.getSpec() == null ? "" : text(pod.getSpec().getNodeName()), image(pod));
    }

    /** The state in kubectl's words. */
    private static String podState(V1Pod pod, List<V1ContainerStatus> containers) {
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            return "Terminating";
        }
        Optional<String> reason = containers.stream().map(V1ContainerStatus::getState).filter(Objects::nonNull)
                .flatMap(state -> state.getWaiting() != null ? Stream.ofNullable(state.getWaiting().getReason())
                        : state.getTerminated() != null ? Stream.ofNullable(state.getTerminated().getReason()) : Stream.empty())
                .findFirst();
        return reason.orElseGet(() -> pod.getStatus() == null || pod.getStatus().getPhase() == null
                ? "Pending" : pod.getStatus().getPhase());
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
        return seen == null ? row : new Row(row.namespace(), row.name(), row.labels(), millis(seen), row.tone(), row.cells());
    }

    private static Row row(KubernetesObject object, Tone tone, String... cells) {
        V1ObjectMeta meta = object.getMetadata();
        Map<String, String> labels = meta.getLabels() == null ? Map.of() : meta.getLabels();
        return new Row(meta.getNamespace(), text(meta.getName()), labels, millis(meta.getCreationTimestamp()), tone, List.of(cells));
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

    private static <T> List<T> orNone(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }
}
