package io.reactiveinformer.laws.scale;

import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Pods as clusters have them: {@value #REPLICAS} of each application, which differ in little more than their names, addresses and times.
 * About 9 KB of JSON each, managedFields included. The same seed gives the same pods.
 */
final class PodCorpus {

    static final int REPLICAS = 25;

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final long seed;

    PodCorpus(long seed) {
        this.seed = seed;
    }

    /** Without uid and resourceVersion, which the server gives. */
    Stream<ObjectNode> pods(int count) {
        return IntStream.range(0, count).mapToObj(this::pod);
    }

    private ObjectNode pod(int number) {
        var own = new Random(seed + number);
        int app = number / REPLICAS;
        String appName = "app-" + app;
        ObjectNode pod = JSON.objectNode().put("apiVersion", "v1").put("kind", "Pod");
        metadata(pod.putObject("metadata"), app, appName, own);
        spec(pod.putObject("spec"), app, appName, own);
        status(pod.putObject("status"), appName, own);
        return pod;
    }

    private void metadata(ObjectNode metadata, int app, String appName, Random own) {
        String replicaSet = appName + "-" + Integer.toHexString(Long.hashCode(seed + app * 31L));
        metadata.put("name", replicaSet + "-" + Long.toString(own.nextLong() & Long.MAX_VALUE, 36));
        metadata.put("generateName", replicaSet + "-").put("namespace", "team-" + app % 20);
        metadata.putObject("labels").put("app.kubernetes.io/name", appName).put("app.kubernetes.io/part-of", "shop-" + app % 7)
                .put("app.kubernetes.io/managed-by", "helm").put("pod-template-hash", replicaSet.substring(replicaSet.lastIndexOf('-') + 1))
                .put("topology.kubernetes.io/zone", "zone-" + own.nextInt(3)).put("tier", app % 2 == 0 ? "frontend" : "backend");
        metadata.putObject("annotations").put("prometheus.io/scrape", "true").put("prometheus.io/port", "9090")
                .put("checksum/config", new UUID(seed, app).toString().repeat(2))
                .put("kubectl.kubernetes.io/restartedAt", "2026-10-01T08:00:00Z");
        metadata.putArray("ownerReferences").addObject().put("apiVersion", "no.such/v1").put("kind", "ReplicaSet").put("name", replicaSet)
                .put("uid", new UUID(app, seed).toString()).put("controller", true).put("blockOwnerDeletion", true);
        ArrayNode managed = metadata.putArray("managedFields");
        managedFields(managed.addObject(), "kube-controller-manager", "f:spec", "f:containers", "f:env", own);
        managedFields(managed.addObject(), "kubelet", "f:status", "f:conditions", "f:containerStatuses", own);
    }

    private static void managedFields(ObjectNode entry, String manager, String part, String list, String other, Random own) {
        entry.put("manager", manager).put("operation", "Update").put("apiVersion", "v1").put("fieldsType", "FieldsV1")
                .put("time", time(own));
        ObjectNode fields = entry.putObject("fieldsV1").putObject(part);
        for (int i = 0; i < 5; i++) {
            fields.putObject(list + i).putObject("k:{\"name\":\"part-" + i + "\"}").putObject(".").putObject(other);
            fields.putObject("f:terminationMessagePath" + i).putObject("f:resources").putObject("f:limits").putObject("f:memory");
        }
    }

    private void spec(ObjectNode spec, int app, String appName, Random own) {
        ArrayNode containers = spec.putArray("containers");
        for (int c = 0; c < 3; c++) {
            ObjectNode container = containers.addObject().put("name", c == 0 ? appName : "sidecar-" + c)
                    .put("image", "registry.example.com/shop/" + appName + "-" + c + ":1." + app % 40 + ".0")
                    .put("imagePullPolicy", "IfNotPresent")
                    .put("terminationMessagePath", "/dev/termination-log").put("terminationMessagePolicy", "File");
            container.putArray("ports").addObject().put("name", "http").put("containerPort", 8080 + c).put("protocol", "TCP");
            ArrayNode env = container.putArray("env");
            for (int e = 0; e < 6; e++) {
                env.addObject().put("name", "SETTING_NUMBER_" + e).put("value", "value-of-" + appName + "-" + e);
            }
            ObjectNode resources = container.putObject("resources");
            resources.putObject("limits").put("cpu", "500m").put("memory", "256Mi");
            resources.putObject("requests").put("cpu", "100m").put("memory", "128Mi");
            for (String probe : new String[] {"livenessProbe", "readinessProbe"}) {
                ObjectNode check = container.putObject(probe).put("initialDelaySeconds", 10)
                        .put("timeoutSeconds", 1).put("periodSeconds", 10)
                        .put("successThreshold", 1).put("failureThreshold", 3);
                check.putObject("httpGet").put("path", "/health").put("port", "http").put("scheme", "HTTP");
            }
            ArrayNode mounts = container.putArray("volumeMounts");
            mounts.addObject().put("name", "config").put("mountPath", "/etc/" + appName).put("readOnly", true);
            mounts.addObject().put("name", "kube-api-access").put("mountPath", "/var/run/secrets/kubernetes.io/serviceaccount")
                    .put("readOnly", true);
            container.putObject("securityContext").put("allowPrivilegeEscalation", false).put("readOnlyRootFilesystem", true);
        }
        ArrayNode volumes = spec.putArray("volumes");
        volumes.addObject().put("name", "config").putObject("configMap").put("name", appName + "-config").put("defaultMode", 420);
        volumes.addObject().put("name", "kube-api-access").putObject("projected").put("defaultMode", 420).putArray("sources").addObject()
                .putObject("serviceAccountToken").put("expirationSeconds", 3607).put("path", "token");
        spec.put("restartPolicy", "Always").put("terminationGracePeriodSeconds", 30).put("dnsPolicy", "ClusterFirst")
                .put("serviceAccountName", appName).put("serviceAccount", appName).put("nodeName", "node-" + own.nextInt(100))
                .put("schedulerName", "default-scheduler").put("priority", 0).put("enableServiceLinks", true)
                .put("preemptionPolicy", "PreemptLowerPriority");
        ArrayNode tolerations = spec.putArray("tolerations");
        for (String condition : new String[] {"not-ready", "unreachable"}) {
            tolerations.addObject().put("key", "node.kubernetes.io/" + condition).put("operator", "Exists").put("effect", "NoExecute")
                    .put("tolerationSeconds", 300);
        }
    }

    private static void status(ObjectNode status, String appName, Random own) {
        status.put("phase", "Running").put("qosClass", "Burstable").put("startTime", time(own)).put("hostIP", "10.0.0." + own.nextInt(100));
        String address = "10." + own.nextInt(250) + "." + own.nextInt(250) + "." + own.nextInt(250);
        status.put("podIP", address).putArray("podIPs").addObject().put("ip", address);
        ArrayNode conditions = status.putArray("conditions");
        for (String type : new String[] {"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"}) {
            conditions.addObject().put("type", type).put("status", "True").put("lastTransitionTime", time(own)).putNull("lastProbeTime");
        }
        ArrayNode containers = status.putArray("containerStatuses");
        for (int c = 0; c < 3; c++) {
            ObjectNode container = containers.addObject().put("name", c == 0 ? appName : "sidecar-" + c)
                    .put("ready", true).put("started", true)
                    .put("restartCount", own.nextInt(3)).put("image", "registry.example.com/shop/" + appName + "-" + c + ":1.0")
                    .put("imageID", "sha256:" + new UUID(appName.hashCode(), c).toString().replace("-", "").repeat(2))
                    .put("containerID", "containerd://" + new UUID(own.nextLong(), own.nextLong()).toString().replace("-", "").repeat(2));
            container.putObject("state").putObject("running").put("startedAt", time(own));
            container.putObject("lastState");
        }
    }

    private static String time(Random own) {
        return String.format("2026-11-%02dT%02d:%02d:%02dZ", 1 + own.nextInt(20), own.nextInt(24), own.nextInt(60), own.nextInt(60));
    }
}
