package io.reactiveinformer.demo;

import java.util.Arrays;
import picocli.CommandLine.TypeConversionException;

/** The formats of the output. */
enum Format {
    TEXT, JSON;

    Printer printer(Surroundings surroundings) {
        return this == JSON
                ? new JsonPrinter(surroundings.out())
                : new TextPrinter(surroundings.out(), surroundings.colours(), surroundings.width());
    }

    /** Reads the name of a format, in upper or lower case. */
    static Format parse(String name) {
        return Arrays.stream(values())
                .filter(format -> format.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("expected text or json, was '" + name + "'"));
    }

    @Override
    public String toString() {
        return this == JSON ? "json" : "text";
    }
}
