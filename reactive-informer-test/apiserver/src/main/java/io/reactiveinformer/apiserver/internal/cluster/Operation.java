package io.reactiveinformer.apiserver.internal.cluster;

/** How a manager came to own fields; what {@code managedFields} say of it. */
enum Operation {
    APPLY("Apply"),
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
