package io.reactiveinformer.apiserver.internal.cluster;

/** The operation by which a manager came to own fields, as in {@code managedFields}. */
public enum Operation {
    /** Server-side apply. */
    APPLY("Apply"),
    /** Every other write. */
    UPDATE("Update");

    private final String text;

    Operation(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
