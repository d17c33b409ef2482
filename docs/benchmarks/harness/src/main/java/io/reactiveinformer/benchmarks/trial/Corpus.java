package io.reactiveinformer.benchmarks.trial;

import java.util.Random;
import java.util.UUID;

/** Pods by number; the same seed gives the same pods. */
public final class Corpus {

    /** What pods have in common. */
    public enum Kind {
        /**
         * {@value Corpus#REPLICAS} replicas of each application, which differ in names, addresses, identifiers, nodes and times, as in a
         * cluster.
         */
        A,
        /**
         * Keys and values of enumerations, nothing else; what is the same in every pod of a cluster, such as the name of its scheduler, is
         * not.
         */
        B
    }

    static final int REPLICAS = 25;

    private final Kind kind;
    private final int containers;
    private final int podsPerNamespace;
    private final long seed;

    /**
     * @param containers 2 make a pod of 6 KB, 4 one of 9 KB
     * @param podsPerNamespace a multiple of {@value #REPLICAS}
     */
    public Corpus(Kind kind, int containers, int podsPerNamespace, long seed) {
        this.kind = kind;
        this.containers = containers;
        this.podsPerNamespace = podsPerNamespace;
        this.seed = seed;
    }

    /** In the namespace {@code team-<number / podsPerNamespace>}. */
    public PodBytes pod(int number) {
        return new Writing(number).pod();
    }

    /** What {@link #pod} is called, without making it. */
    PodName name(int number) {
        return new PodName(namespace(number, podsPerNamespace), new Writing(number).name());
    }

    static String namespace(int number, int podsPerNamespace) {
        return "team-" + number / podsPerNamespace;
    }

    private final class Writing {

        private final int number;
        private final int app;
        private final Random own;
        private final Random shared;
        private final StringBuilder json = new StringBuilder(10_000);
        private final PodBytes.Places places = new PodBytes.Places();
        private final String appName;
        private final String replicaSet;
        private final String token;

        Writing(int number) {
            this.number = number;
            this.app = kind == Kind.A ? number / REPLICAS : number;
            this.own = new Random(seed * 31 + number);
            this.shared = new Random(seed * 37 + app);
            this.appName = kind == Kind.A ? "app-" + app : word(10);
            this.replicaSet = appName + "-" + Integer.toHexString(shared.nextInt() | 0x10000000);
            this.token = "kube-api-access-" + word(5);
        }

        /** To be called first: the words after it depend on it. */
        String name() {
            return replicaSet + "-" + word(5);
        }

        PodBytes pod() {
            String name = name();
            String namespace = namespace(number, podsPerNamespace);
            json.append("{\"metadata\":{\"name\":\"").append(name).append("\",\"generateName\":\"")
                    .append(replicaSet).append("-\",\"namespace\":\"")
                    .append(namespace).append("\",\"uid\":\"").append(uuid(own)).append("\",\"resourceVersion\":\"");
            places.version = json.length();
            json.append("0000000000\",\"generation\":1,\"creationTimestamp\":\"").append(time()).append("\",");
            metadata();
            json.append('}');
            places.metadataEnd = json.length();
            json.append(",\"spec\":{");
            spec();
            json.append("},\"status\":{");
            status();
            json.append("}}");
            return new PodBytes(namespace, name, json.toString(), places);
        }

        private void metadata() {
            json.append("\"labels\":{\"app.kubernetes.io/name\":\"").append(appName).append("\",\"app.kubernetes.io/part-of\":\"")
                    .append(common("shop"))
                    .append("\",\"app.kubernetes.io/version\":\"").append(common("1.4")).append("\",\"pod-template-hash\":\"")
                    .append(replicaSet.substring(replicaSet.lastIndexOf('-') + 1)).append("\"},");
            json.append("\"annotations\":{\"checksum/config\":\"").append(uuid(shared)).append("\",\"prometheus.io/scrape\":\"true\",")
                    .append("\"prometheus.io/port\":\"").append(1024 + shared.nextInt(50_000)).append("\",\"trial.example/mark\":\"");
            places.mark = json.length();
            json.append("0".repeat(PodBytes.MARK)).append("\"},");
            json.append("\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"ReplicaSet\",\"name\":\"")
                    .append(replicaSet).append("\",\"uid\":\"")
                    .append(uuid(shared)).append("\",\"controller\":true,\"blockOwnerDeletion\":true}],");
            json.append("\"managedFields\":[{\"manager\":\"kube-controller-manager\",\"operation\":\"Update\",\"apiVersion\":\"v1\","
                    + "\"time\":\"").append(time())
                    .append("\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:metadata\":{\"f:labels\":{\".\":{},"
                            + "\"f:app.kubernetes.io/name\":{},")
                    .append("\"f:pod-template-hash\":{}},\"f:ownerReferences\":{\".\":{},\"k:{\\\"uid\\\":\\\"")
                    .append(uuid(own)).append("\\\"}\":{}}},\"f:spec\":{\"f:containers\":{");
            for (int c = 0; c < containers; c++) {
                json.append(c == 0 ? "" : ",").append("\"k:{\\\"name\\\":\\\"").append(container(c))
                        .append("\\\"}\":{\".\":{},\"f:env\":{\".\":{}},\"f:image\":{},")
                        .append("\"f:imagePullPolicy\":{},\"f:name\":{},\"f:ports\":{\".\":{}},\"f:resources\":{\".\":{},\"f:limits\":{}},"
                                + "\"f:volumeMounts\":{\".\":{}}}");
            }
            json.append("},\"f:dnsPolicy\":{},\"f:restartPolicy\":{},\"f:schedulerName\":{},\"f:securityContext\":{}}}},"
                    + "{\"manager\":\"kubelet\",")
                    .append("\"operation\":\"Update\",\"apiVersion\":\"v1\",\"time\":\"").append(time())
                    .append("\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:status\":{")
                    .append("\"f:conditions\":{\"k:{\\\"type\\\":\\\"Ready\\\"}\":{\".\":{},\"f:lastTransitionTime\":{},\"f:status\":{}}},"
                            + "\"f:containerStatuses\":{},")
                    .append("\"f:hostIP\":{},\"f:phase\":{},\"f:podIP\":{},\"f:startTime\":{}}},\"subresource\":\"status\"}]");
        }

        private void spec() {
            json.append("\"volumes\":[{\"name\":\"config\",\"configMap\":{\"name\":\"").append(common("config"))
                    .append("\",\"defaultMode\":420}},{\"name\":\"")
                    .append(token).append("\",\"projected\":{\"sources\":[{\"serviceAccountToken\":{\"expirationSeconds\":")
                    .append(usual(3607))
                    .append(",\"path\":\"").append(usual("token")).append("\"}},{\"configMap\":{\"name\":\"")
                    .append(usual("kube-root-ca.crt"))
                    .append("\",\"items\":[{\"key\":\"").append(usual("ca.crt")).append("\",\"path\":\"").append(usual("ca.crt"))
                    .append("\"}]}}],\"defaultMode\":420}}],");
            json.append("\"containers\":[");
            for (int c = 0; c < containers; c++) {
                json.append(c == 0 ? "" : ",");
                container(c, c == 0 ? 4 : 1);
            }
            String node = "node-" + own.nextInt(100);
            json.append("],\"restartPolicy\":\"Always\",\"terminationGracePeriodSeconds\":30,\"dnsPolicy\":\"ClusterFirst\","
                    + "\"serviceAccountName\":\"")
                    .append(appName).append("\",\"serviceAccount\":\"").append(appName).append("\",\"nodeName\":\"")
                    .append(kind == Kind.A ? node : word(10)).append("\",\"securityContext\":{\"runAsNonRoot\":true,\"fsGroup\":")
                    .append(1000 + shared.nextInt(9000)).append("},\"schedulerName\":\"").append(usual("default-scheduler"))
                    .append("\",\"tolerations\":[");
            json.append("{\"key\":\"node.kubernetes.io/not-ready\",\"operator\":\"Exists\",\"effect\":\"NoExecute\",\"tolerationSeconds\":")
                    .append(usual(300))
                    .append("},{\"key\":\"node.kubernetes.io/unreachable\",\"operator\":\"Exists\",\"effect\":\"NoExecute\","
                    + "\"tolerationSeconds\":")
                    .append(usual(300))
                    .append("}],\"priority\":0,\"enableServiceLinks\":true,\"preemptionPolicy\":\"PreemptLowerPriority\"");
        }

        /** What is the same in every pod of a cluster. */
        private int usual(int number) {
            return kind == Kind.A ? number : number + own.nextInt(100_000);
        }

        private String usual(String text) {
            return kind == Kind.A ? text : word(text.length());
        }

        private void container(int c, int variables) {
            json.append("{\"name\":\"").append(container(c)).append("\",\"image\":\"").append(image(c)).append("\",\"ports\":[{\"name\":\"")
                    .append(common("http")).append("\",\"containerPort\":").append(1024 + shared.nextInt(50_000))
                    .append(",\"protocol\":\"TCP\"}],\"env\":[");
            for (int e = 0; e < variables; e++) {
                json.append(e == 0 ? "" : ",").append("{\"name\":\"").append(kind == Kind.A ? "SETTING_NUMBER_" + e : word(16))
                        .append("\",\"value\":\"")
                        .append(common("value-of-" + e)).append("\"}");
            }
            json.append("],\"resources\":{\"limits\":{\"cpu\":\"").append(100 + shared.nextInt(900))
                    .append("m\",\"memory\":\"").append(64 + shared.nextInt(4000))
                    .append("Mi\"},\"requests\":{\"cpu\":\"").append(10 + shared.nextInt(90))
                    .append("m\",\"memory\":\"").append(32 + shared.nextInt(2000))
                    .append("Mi\"}},\"volumeMounts\":[{\"name\":\"config\",\"readOnly\":true,\"mountPath\":\"/etc/").append(common("etc"))
                    .append("\"},{\"name\":\"").append(token).append("\",\"readOnly\":true,\"mountPath\":\"/var/run/secrets/")
                    .append(usual("kubernetes.io/serviceaccount")).append("\"}],");
            probe("readinessProbe");
            json.append("\"terminationMessagePath\":\"/dev/").append(usual("termination-log"))
                    .append("\",\"terminationMessagePolicy\":\"File\",")
                    .append("\"imagePullPolicy\":\"IfNotPresent\",\"securityContext\":{\"allowPrivilegeEscalation\":false,"
                            + "\"readOnlyRootFilesystem\":true")
                    .append(kind == Kind.A ? "" : ",\"runAsUser\":" + usual(1000)).append("}}");
        }

        private void probe(String name) {
            json.append('"').append(name).append("\":{\"httpGet\":{\"path\":\"/").append(common("health"))
                    .append("\",\"port\":\"").append(common("http"))
                    .append("\",\"scheme\":\"HTTP\"},\"initialDelaySeconds\":").append(1 + shared.nextInt(100))
                    .append(",\"timeoutSeconds\":1,\"periodSeconds\":10,")
                    .append("\"successThreshold\":1,\"failureThreshold\":3},");
        }

        private void status() {
            String started = time();
            json.append("\"phase\":\"Running\",\"conditions\":[");
            for (String type : new String[] {"Initialized", "Ready", "ContainersReady", "PodScheduled"}) {
                json.append("{\"type\":\"").append(type).append("\",\"status\":\"True\",\"lastProbeTime\":null,\"lastTransitionTime\":\"");
                if (type.equals("Ready")) {
                    places.readyTime = json.length();
                }
                json.append(kind == Kind.A ? started : time()).append("\"},");
            }
            json.setLength(json.length() - 1);
            String host = "10.0." + own.nextInt(250) + "." + own.nextInt(250);
            String address = "10." + own.nextInt(250) + "." + own.nextInt(250) + "." + own.nextInt(250);
            json.append("],\"hostIP\":\"").append(host).append("\",\"hostIPs\":[{\"ip\":\"")
                    .append(host).append("\"}],\"podIP\":\"").append(address)
                    .append("\",\"podIPs\":[{\"ip\":\"").append(address).append("\"}],\"startTime\":\"")
                    .append(started).append("\",\"containerStatuses\":[");
            for (int c = 0; c < containers; c++) {
                json.append(c == 0 ? "" : ",").append("{\"name\":\"").append(container(c))
                        .append("\",\"state\":{\"running\":{\"startedAt\":\"").append(time())
                        .append("\"}},\"lastState\":{},\"ready\":true,\"restartCount\":");
                places.restarts = json.length();
                json.append("0,\"image\":\"").append(image(c)).append("\",\"imageID\":\"")
                        .append(common("registry.example.com/shop")).append("@sha256:")
                        .append(hex(kind == Kind.A ? new Random(app * 7L + c) : own)).append("\",\"containerID\":\"containerd://")
                        .append(hex(own))
                        .append("\",\"started\":true}");
            }
            json.append("],\"qosClass\":\"Burstable\",\"observedGeneration\":1");
        }

        private String container(int c) {
            return c == 0 ? appName : common("sidecar-" + c);
        }

        private String image(int c) {
            return "registry.example.com/shop/" + common("image-" + c) + ":1.0";
        }

        private String common(String stem) {
            return kind == Kind.A ? stem + "-" + app : new UUID(stem.hashCode() * 31L + app, stem.length()).toString().substring(0, 8)
                    + word(stem.length());
        }

        private String word(int length) {
            var word = new StringBuilder(length);
            for (int i = 0; i < length; i++) {
                word.append("bcdfghjklmnpqrstvwxz2456789".charAt(own.nextInt(27)));
            }
            return word.toString();
        }

        private String time() {
            int second = own.nextInt(86_400 * 20);
            return "2026-11-" + two(1 + second / 86_400) + "T" + two(second / 3600 % 24) + ":"
                    + two(second / 60 % 60) + ":" + two(second % 60) + "Z";
        }

        private static String two(int number) {
            return number < 10 ? "0" + number : "" + number;
        }

        private static String uuid(Random random) {
            return new UUID(random.nextLong(), random.nextLong()).toString();
        }

        private static String hex(Random random) {
            return (uuid(random) + uuid(random)).replace("-", "");
        }
    }
}
