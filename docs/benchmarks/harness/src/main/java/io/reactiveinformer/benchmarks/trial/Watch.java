package io.reactiveinformer.benchmarks.trial;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What happens, as it happens; each event is a chunk, as the server writes them. */
final class Watch {

    private static final int SECONDS_BETWEEN_BOOKMARKS = 60; // as a real server

    private final Cluster cluster;
    private final Body body;
    private final PodForm form;
    private final int podsPerNamespace;
    private final int namespace;

    Watch(LoadServer server, Body body, PodForm form, int namespace) {
        this.cluster = server.cluster;
        this.body = body;
        this.form = form;
        this.podsPerNamespace = server.podsPerNamespace;
        this.namespace = namespace;
    }

    void write(@Nullable String version, boolean wholeList, boolean bookmarks) throws IOException, InterruptedException {
        long from = wholeList || version == null || version.isEmpty() || version.equals("0") ? cluster.version() : Long.parseLong(version);
        int next = cluster.entryAfter(from);
        if (wholeList) {
            initialEvents(from);
        }
        while (next >= 0) {
            int size = cluster.awaitSizeBeyond(next, SECONDS_BETWEEN_BOOKMARKS * 1000);
            if (size <= next) {
                if (bookmarks) {
                    bookmark(cluster.version(), "");
                    body.flush();
                }
            } else if (cluster.entryAfter(cluster.versionOf(0, next - 1)) < 0) {
                next = -1;
            } else {
                for (; next < size; next++) {
                    if (has(cluster.podOf(next))) {
                        event("MODIFIED", cluster.podOf(next), next);
                    }
                }
                body.flush();
            }
        }
        event("ERROR", "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
                + "\"message\":\"too old resource version\",\"reason\":\"Expired\",\"code\":410}");
        body.finish();
    }

    private boolean has(int pod) {
        return namespace < 0 || pod / podsPerNamespace == namespace;
    }

    private void initialEvents(long from) throws IOException {
        for (int pod = 0; pod < cluster.count(); pod++) {
            if (has(pod)) {
                event("ADDED", pod, cluster.lastOf(pod));
            }
        }
        bookmark(from, ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}");
        body.flush();
    }

    private void event(String type, int pod, int entry) throws IOException {
        body.begin();
        if (form == PodForm.MESSAGE) {
            head(type, cluster.pod(pod).message().envelopeLength());
            body.addMessage(cluster, pod, entry);
        } else {
            body.add("{\"type\":\"" + type + "\",\"object\":");
            body.add(form, cluster, pod, entry);
            body.add("}\n");
        }
        body.end();
    }

    private void event(String type, String object) throws IOException {
        body.begin();
        if (form == PodForm.MESSAGE) {
            byte[] message = Objects.requireNonNull(cluster.encoding()).encode(object.getBytes(StandardCharsets.US_ASCII));
            head(type, message.length);
            body.add(message);
        } else {
            body.add("{\"type\":\"" + type + "\",\"object\":" + object + "}\n");
        }
        body.end();
    }

    /** What precedes an object of this length in its frame: the length of the frame, the type, and the heads of the fields around it. */
    private void head(String type, int length) {
        byte[] before = new Wire().text(1, type).begin(2, Wire.fieldSize(length)).begin(1, length).bytes();
        body.add(ByteBuffer.allocate(Integer.BYTES + before.length).putInt(before.length + length).put(before).array());
    }

    private void bookmark(long version, String annotations) throws IOException {
        boolean whole = form != PodForm.METADATA;
        event("BOOKMARK", form.opening + "\"metadata\":{\"resourceVersion\":\"" + version
                + (whole ? "\",\"creationTimestamp\":null" : "\"") + annotations + "}"
                + (whole ? ",\"spec\":{\"containers\":null},\"status\":{}" : "") + "}");
    }
}
