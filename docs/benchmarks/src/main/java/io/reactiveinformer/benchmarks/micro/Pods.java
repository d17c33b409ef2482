package io.reactiveinformer.benchmarks.micro;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.UUID;

/** Pods by number, of some 3 KB; the same ones each time. */
public enum Pods {

    /** 25 replicas of each application, which differ in names, addresses, identifiers, nodes and times, as in a cluster. */
    A(25),
    /** Keys and values of enumerations in common, nothing else. */
    B(1);

    private final int replicas;

    Pods(int replicas) {
        this.replicas = replicas;
    }

    /** As the item of a list. */
    public byte[] bytes(int number) {
        return text(number).getBytes(StandardCharsets.UTF_8);
    }

    /** A list of the first {@code count}. */
    public byte[] list(int count) {
        var list = new StringBuilder(
                "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1000000\"},\"items\":[");
        for (int i = 0; i < count; i++) {
            list.append(i == 0 ? "" : ",").append(text(i));
        }
        return list.append("]}").toString().getBytes(StandardCharsets.UTF_8);
    }

    private String text(int number) {
        var own = new Random(number);
        var app = new Random(1_000_000 + number / replicas);
        String name = word(app);
        String image = word(app);
        var text = new StringBuilder();
        text.append("""
                {"metadata":{"name":"%1$s-%2$s","generateName":"%1$s-","namespace":"team-%3$d","uid":"%4$s","resourceVersion":"%5$d",\
                "creationTimestamp":"2026-11-20T10:%6$02d:%7$02dZ","labels":{"app":"%1$s","pod-template-hash":"%8$s",\
                "app.kubernetes.io/part-of":"%9$s"},\
                "annotations":{"checksum/config":"%10$s"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"%1$s",\
                "uid":"%11$s",\
                "controller":true,"blockOwnerDeletion":true}]},"spec":{"nodeName":"node-%12$s","serviceAccountName":"%1$s",\
                "restartPolicy":"Always",\
                "dnsPolicy":"ClusterFirst","schedulerName":"default-scheduler","terminationGracePeriodSeconds":30,"containers":[
                """.formatted(name, word(own), number / 200, uuid(own), 100_000 + number, number % 60, own.nextInt(60),
                        word(app), word(app), word(app), uuid(app),
                word(own)).strip());
        for (int i = 0; i < 2; i++) {
            text.append(i == 0 ? "" : ",").append("""
                    {"name":"%1$s","image":"registry.example/%2$s/%1$s:%3$s","imagePullPolicy":"IfNotPresent","ports":[{"name":"http",\
                    "containerPort":8080,"protocol":"TCP"}],\
                    "env":[{"name":"REGION","value":"%4$s"},{"name":"LEVEL","value":"%5$s"},{"name":"HOST_IP",\
                    "valueFrom":{"fieldRef":{"apiVersion":"v1",\
                    "fieldPath":"status.hostIP"}}}],"resources":{"requests":{"cpu":"100m","memory":"128Mi"},"limits":{"memory":"256Mi"}},\
                    "readinessProbe":{"httpGet":{"path":"/%6$s","port":"http","scheme":"HTTP"},"periodSeconds":5,"timeoutSeconds":1,\
                    "failureThreshold":3},\
                    "volumeMounts":[{"name":"config","mountPath":"/etc/%6$s"}],"terminationMessagePath":"/dev/termination-log",\
                    "terminationMessagePolicy":"File"}
                    """.formatted(word(app), image, word(app), word(app), word(app), word(app)).strip());
        }
        return text.append("""
                ],"volumes":[{"name":"config","configMap":{"name":"%1$s","defaultMode":420}}],\
                "tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists",\
                "effect":"NoExecute","tolerationSeconds":300}]},"status":{"phase":"Running","hostIP":"10.0.%2$d.%3$d",\
                "podIP":"10.1.%2$d.%3$d","startTime":"2026-11-20T10:00:00Z",\
                "qosClass":"Burstable","conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-11-20T10:%4$02d:00Z"},\
                {"type":"PodScheduled","status":"True",\
                "lastTransitionTime":"2026-11-20T10:%4$02d:00Z"}],"containerStatuses":[{"name":"%5$s","ready":true,"restartCount":0,\
                "image":"%6$s",\
                "imageID":"sha256:%7$s","containerID":"containerd://%8$s","state":{"running":{"startedAt":"2026-11-20T10:%4$02d:07Z"}}}]}}
                """.formatted(word(app), own.nextInt(250), own.nextInt(250), own.nextInt(60),
                        word(app), word(app), uuid(app), uuid(own)).strip()).toString();
    }

    private static String word(Random random) {
        return Long.toString(random.nextLong() >>> 1, 36);
    }

    private static String uuid(Random random) {
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }
}
