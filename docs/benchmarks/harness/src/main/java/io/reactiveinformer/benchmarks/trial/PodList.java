package io.reactiveinformer.benchmarks.trial;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A list, or a page of one. */
final class PodList {

    private static final int ITEMS_IN_A_CHUNK = 8;

    private final Cluster cluster;
    private final Body body;
    private final PodForm form;
    private final int from;
    private final int to;

    PodList(LoadServer server, Body body, PodForm form, int namespace) {
        this.cluster = server.cluster;
        this.body = body;
        this.form = form;
        this.from = namespace < 0 ? 0 : namespace * server.podsPerNamespace;
        this.to = namespace < 0 ? cluster.count() : Math.min(from + server.podsPerNamespace, cluster.count());
    }

    /** As the server's watch cache does: a list "of any age" has no pages. */
    void write(int limit, @Nullable String token, @Nullable String version) throws IOException {
        int begin = token == null ? from : Integer.parseInt(token);
        int end = limit == 0 || "0".equals(version) && token == null ? to : Math.min(begin + limit, to);
        if (form == PodForm.MESSAGE) {
            writeMessages(begin, end);
            return;
        }
        body.begin();
        body.add(form.listOpening + "\"metadata\":{\"resourceVersion\":\"" + cluster.version() + "\""
                + (end < to ? ",\"continue\":\"" + end + "\",\"remainingItemCount\":" + (to - end) : "") + "},\"items\":[");
        for (int pod = begin; pod < end; pod++) {
            if (pod > begin) {
                body.add(",");
            }
            if (form == PodForm.METADATA) { // the only form whose items name their kind
                body.add(form, cluster, pod, cluster.lastOf(pod));
            } else {
                body.add(cluster, pod, cluster.lastOf(pod));
            }
            if (pod % ITEMS_IN_A_CHUNK == 0) {
                body.end();
                body.begin();
            }
        }
        body.add("]}");
        body.end();
        body.finish();
    }

    private void writeMessages(int begin, int end) throws IOException {
        var metadata = new Wire().text(1, "").text(2, "" + cluster.version()).text(3, end < to ? "" + end : "");
        byte[] meta = new Wire().bytes(1, (end < to ? metadata.number(4, to - end) : metadata).bytes()).bytes();
        long length = meta.length;
        for (int pod = begin; pod < end; pod++) {
            length += Wire.fieldSize(cluster.pod(pod).message().length());
        }
        body.begin();
        body.add("k8s\0");
        body.add(new Wire().bytes(1, new Wire().text(1, "v1").text(2, "PodList").bytes()).begin(2, Math.toIntExact(length)).bytes());
        body.add(meta);
        for (int pod = begin; pod < end; pod++) {
            body.addItem(cluster, pod, cluster.lastOf(pod));
            if (pod % ITEMS_IN_A_CHUNK == 0) {
                body.end();
                body.begin();
            }
        }
        body.add(new Wire().text(3, "").text(4, "").bytes());
        body.end();
        body.finish();
    }
}
