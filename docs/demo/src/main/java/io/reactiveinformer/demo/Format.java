package io.reactiveinformer.demo;

/** The formats of the output. */
enum Format {
    TEXT, JSON;

    Printer printer(Surroundings surroundings) {
        return this == JSON
                ? new JsonPrinter(surroundings.out())
                : new TextPrinter(surroundings.out(), surroundings.colours());
    }

    @Override
    public String toString() {
        return this == JSON ? "json" : "text";
    }
}
