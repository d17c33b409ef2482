package io.reactiveinformer.demo.controllers;

import io.kubernetes.client.common.KubernetesObject;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Names for the pods of one owner: a sequence that is the same each time. Who takes the first ones that are free never makes two pods for
 * one: if he repeats a creation, because its answer was lost or his cache is behind, he meets the pod that he has made.
 */
final class PodNames {

    /** As Kubernetes generates them: no vowels, which could make words, and nothing that looks like something else. */
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
