package io.reactiveinformer.resource;

import java.util.Map;

/** A parsed label selector. */
record LabelSelector(String text) {

    static LabelSelector parse(String text) {
        return new LabelSelector(text);
    }

    boolean matches(Map<String, String> labels) {
        return text.isEmpty();
    }

    @Override
    public String toString() {
        return text;
    }
}
