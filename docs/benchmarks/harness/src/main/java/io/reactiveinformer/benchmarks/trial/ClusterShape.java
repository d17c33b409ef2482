package io.reactiveinformer.benchmarks.trial;

import java.util.List;

/**
 * What a {@link LoadServer} serves.
 *
 * @param kilobytes of a pod: 6 or 9
 */
record ClusterShape(Corpus.Kind corpus, int pods, int kilobytes, int podsPerNamespace) {

    static ClusterShape of(Corpus.Kind corpus, int pods) {
        return new ClusterShape(corpus, pods, 6, 200);
    }

    List<String> arguments() {
        int containers = kilobytes == 6 ? 2 : 4;
        return List.of(corpus.name(), "" + pods, "" + containers, "" + podsPerNamespace);
    }

    @Override
    public String toString() {
        return pods + " pods of " + kilobytes + " KB, corpus " + corpus;
    }
}
