package io.reactiveinformer.apiserver.internal.cluster;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static io.reactiveinformer.apiserver.internal.cluster.Defaults.absent;

/** The defaults of parts of built-in types that the table cannot say: those that are computed from other fields of the same part. */
final class PartDefaults {

    private static final List<String> DATA_SOURCES = List.of("/PersistentVolumeClaim", "snapshot.storage.k8s.io/VolumeSnapshot");

    /** A valid reference of an image, with its tag and its digest. */
    private static final Pattern IMAGE = Pattern.compile("(?![a-f0-9]{64}$)(?![^:@]{248})"
            + "(?:[a-zA-Z0-9](?:[-.a-zA-Z0-9]*[a-zA-Z0-9])?(?::\\d+)?/)?"
            + "PATH(?:/PATH)*(?::(\\w[\\w.-]{0,127}))?(?:@([A-Za-z][-_+.A-Za-z0-9]*:[0-9a-fA-F]{32,}))?"
            .replace("PATH", "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"));

    private PartDefaults() {}

    static void apply(String message, ObjectNode object) {
        switch (message) {
            case "v1.Container", "v1.EphemeralContainerCommon" -> absent(object, "imagePullPolicy", policy(Json.text(object, "image")));
            case "v1.ImageVolumeSource" -> absent(object, "pullPolicy", policy(Json.text(object, "reference")));
            case "v1.PodSpec" -> {
                same(object, "serviceAccount", "serviceAccountName");
                copy(object, "serviceAccountName", object, "serviceAccount");
            }
            case "v1.Volume" -> {
                if (object.propertyStream().allMatch(each -> each.getKey().equals("name") || each.getValue().isNull())) {
                    object.putObject("emptyDir");
                }
            }
            case "v1.ServiceSpec" -> {
                if (!Json.text(object, "sessionAffinity").equals("ClientIP")) {
                    object.remove("sessionAffinityConfig");
                }
                if (!object.path("externalIPs").isEmpty() && List.of("", "ClusterIP").contains(Json.text(object, "type"))) {
                    absent(object, "externalTrafficPolicy", "Cluster");
                }
            }
            case "v1.ServicePort" -> {
                if (List.of("", "0").contains(object.path("targetPort").asString(""))) {
                    object.set("targetPort", object.path("port"));
                }
            }
            case "v1.ServiceAccount" -> object.path("secrets").forEach(secret -> ((ObjectNode) secret).retain("name"));
            case "v1.NodeSpec" -> {
                JsonNode first = object.path("podCIDRs").path(0);
                JsonNode single = object.path("podCIDR");
                if (single.asString("").isEmpty() && !first.isMissingNode()) {
                    object.set("podCIDR", first);
                } else if (!single.asString("").isEmpty() && !single.equals(first)) {
                    object.putArray("podCIDRs").add(single);
                }
            }
            case "v1.Service" -> object.path("status").path("loadBalancer").path("ingress").forEach(each -> {
                if (Json.text(object, "spec", "type").equals("LoadBalancer") && each instanceof ObjectNode ingress && ingress.has("ip")) {
                    absent(ingress, "ipMode", "VIP");
                }
            });
            case "v1.NodeStatus" -> same(object, "capacity", "allocatable");
            case "v1.PersistentVolumeClaimSpec" -> {
                String kind = Json.text(object, "dataSource", "apiGroup") + "/" + Json.text(object, "dataSource", "kind");
                if (!object.hasNonNull("dataSourceRef") && !DATA_SOURCES.contains(kind)) {
                    object.remove("dataSource");
                }
                same(object, "dataSource", "dataSourceRef");
                if (Json.text(object, "dataSourceRef", "namespace").isEmpty()) {
                    same(object, "dataSourceRef", "dataSource");
                }
            }
            case "v1.ReplicationController" -> {
                JsonNode labels = object.path("spec").path("template").path("metadata");
                copy(labels, "labels", Json.child(object, "spec"), "selector");
                copy(labels, "labels", Json.child(object, "metadata"), "labels");
            }
            case "batch/v1.Job" -> copy(object.path("spec").path("template").path("metadata"), "labels", Json.child(object, "metadata"),
                    "labels");
            case "apps/v1.StatefulSetSpec" -> object.path("volumeClaimTemplates").forEach(claim -> {
                if (claim instanceof ObjectNode template) {
                    template.put("kind", "PersistentVolumeClaim").put("apiVersion", "v1");
                }
            });
            default -> { }
        }
    }

    private static void same(ObjectNode object, String from, String to) {
        copy(object, from, object, to);
    }

    /** Copies a value to where there is none. */
    private static void copy(JsonNode source, String from, ObjectNode target, String to) {
        JsonNode there = target.path(to);
        boolean none = there.isMissingNode() || there.isNull() || there.isContainer() && there.isEmpty();
        if (none && source.hasNonNull(from)) {
            target.set(to, source.path(from).deepCopy());
        }
    }

    private static String policy(String image) {
        Matcher parts = IMAGE.matcher(image);
        boolean latest = parts.matches() && ("latest".equals(parts.group(1)) || parts.group(1) == null && parts.group(2) == null);
        return latest ? "Always" : "IfNotPresent";
    }

    /** The selector of a Job that its writer has not chosen. Its labels are those of the template also where the Job has copied them. */
    static void selectorOfAJob(ObjectNode job) {
        ObjectNode template = Json.child(Json.child(Json.child(job, "spec"), "template"), "metadata");
        if (job.path("spec").path("manualSelector").asBoolean(false)) {
            return;
        }
        boolean copied = template.path("labels").equals(job.path("metadata").path("labels"));
        String uid = Json.text(job, "metadata", "uid");
        Map.of("controller-uid", uid, "job-name", Json.text(job, "metadata", "name")).forEach((key, value) -> {
            absent(Json.child(template, "labels"), key, value);
            absent(Json.child(template, "labels"), "batch.kubernetes.io/" + key, value);
        });
        if (copied) {
            Json.child(job, "metadata").set("labels", template.path("labels"));
        }
        absent(Json.child(Json.child(Json.child(job, "spec"), "selector"), "matchLabels"), "batch.kubernetes.io/controller-uid", uid);
    }
}
