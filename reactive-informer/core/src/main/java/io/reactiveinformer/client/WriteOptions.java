package io.reactiveinformer.client;

import org.jspecify.annotations.Nullable;

/**
 * How a write is to be done. A {@code with} method gives a copy that differs in one thing.
 *
 * @param dryRun whether the server only tells what it would do
 * @param fieldManager who owns the fields that are set; null for the name of the client; server-side apply demands one
 * @param force whether server-side apply takes over fields that others own, instead of failing with
 *     {@link io.reactiveinformer.resource.ConflictException}
 * @param fieldValidation what the server does about fields that it does not know; null for its default
 */
public record WriteOptions(boolean dryRun, @Nullable String fieldManager, boolean force, @Nullable FieldValidation fieldValidation) {

    private static final WriteOptions DEFAULTS = new WriteOptions(false, null, false, null);

    /** What the server does about fields that it does not know. */
    public enum FieldValidation {
        IGNORE("Ignore"), WARN("Warn"), STRICT("Strict");

        private final String wire;

        FieldValidation(String wire) {
            this.wire = wire;
        }

        String wire() {
            return wire;
        }
    }

    public static WriteOptions defaults() {
        return DEFAULTS;
    }

    /** For server-side apply. */
    public static WriteOptions as(String fieldManager) {
        return DEFAULTS.withFieldManager(fieldManager);
    }

    public WriteOptions withDryRun() {
        return new WriteOptions(true, fieldManager, force, fieldValidation);
    }

    public WriteOptions withFieldManager(String other) {
        return new WriteOptions(dryRun, other, force, fieldValidation);
    }

    public WriteOptions withForce() {
        return new WriteOptions(dryRun, fieldManager, true, fieldValidation);
    }

    public WriteOptions withFieldValidation(FieldValidation other) {
        return new WriteOptions(dryRun, fieldManager, force, other);
    }
}
