package io.reactiveinformer.internal.codec;

import java.nio.charset.StandardCharsets;

/** The beginning of a body that does not come from an API server, for a message. */
final class Excerpt {

    private static final int LENGTH = 40;

    private Excerpt() {}

    static String of(Window window) {
        int length = Math.min(LENGTH, window.size());
        String begin = new String(window.bytes, window.begin, length, StandardCharsets.UTF_8);
        return "\"" + begin.replaceAll("[\\p{Cntrl}\uFFFD]+", " ").strip() + (window.size() > length ? "…\"" : "\"");
    }
}
