package io.reactiveinformer.demo.controllers;

import io.kubernetes.client.common.KubernetesObject;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The names for the pods of one owner: the same sequence each time. A controller that takes the first free names never creates a pod twice:
 * if it repeats a creation, because the answer was lost or its cache is behind, the name is taken by the pod that it has created.
 */
final class PodNames {

    /** As in names that Kubernetes generates: no vowels, which could form words, and no characters that look alike. */
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

    private static final int SUFFIX = 5;
    private static final int LONGEST = 63;

    private PodNames() {}

    static Stream<String> of(KubernetesObject owner) {
        String name = Meta.name(owner);
        String base = name.substring(0, Math.min(name.length(), LONGEST - SUFFIX - 1));
        var random = new Random(Meta.uid(owner).hashCode());
        return Stream.generate(() -> base + "-" + suffix(random));
    }

    private static String suffix(Random random) {
        var suffix = new StringBuilder();
        random.ints(SUFFIX, 0, ALPHABET.length()).forEach(letter -> suffix.append(ALPHABET.charAt(letter)));
        return suffix.toString();
    }
}
