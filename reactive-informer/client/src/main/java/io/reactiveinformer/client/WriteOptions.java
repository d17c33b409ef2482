package io.reactiveinformer.client;

import org.jspecify.annotations.Nullable;

/**
 * How a write is done. A {@code with} method gives a copy that differs in one thing.
 *
 * @param dryRun whether the server only checks the write, and stores nothing
 * @param fieldManager the owner of the fields that are set; null for the name of the client; required for server-side apply
 * @param force whether server-side apply takes over fields of other managers, instead of failing with
 *     {@link io.reactiveinformer.resource.ConflictException}
 * @param fieldValidation what the server does about fields that it does not know; null for its default
 */
public record WriteOptions(boolean dryRun, @Nullable String fieldManager, boolean force, @Nullable FieldValidation fieldValidation) {

    private static final WriteOptions DEFAULTS = new WriteOptions(false, null, false, null);

    /** What the server does about fields that it does not know. */
    public enum FieldValidation {
        /** It drops them. */
        IGNORE("Ignore"),
        /** It drops them and sends a warning, which is logged. */
        WARN("Warn"),
        /** It refuses the write. */
        STRICT("Strict");

        private final String wire;

        FieldValidation(String wire) {
            this.wire = wire;
        }

        String wire() {
            return wire;
        }
    }

    /** No dry run, no forced apply, and the server's defaults for the rest. */
    public static WriteOptions defaults() {
        return DEFAULTS;
    }

    /** A copy that stores nothing on the server. */
    public WriteOptions withDryRun() {
        return new WriteOptions(true, fieldManager, force, fieldValidation);
    }

    /** A copy in which {@code other} owns the fields that are set; server-side apply demands an owner. */
    public WriteOptions withFieldManager(String other) {
        return new WriteOptions(dryRun, other, force, fieldValidation);
    }

    /** A copy in which server-side apply takes over fields of other managers. */
    public WriteOptions withForce() {
        return new WriteOptions(dryRun, fieldManager, true, fieldValidation);
    }

    /** A copy with this treatment of fields that the server does not know. */
    public WriteOptions withFieldValidation(FieldValidation other) {
        return new WriteOptions(dryRun, fieldManager, force, other);
    }
}
