package io.reactiveinformer.resource;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The object exists already, or has changed since it was read (409). Read it again, then decide whether to repeat the write. Of a
 * server-side apply: other managers own fields that it would change, see {@link #fields}.
 */
public final class ConflictException extends StatusException {
    private static final long serialVersionUID = 1L;

    private static final Pattern MANAGER = Pattern.compile("conflict with \"((?:[^\"\\\\]|\\\\.)*)\"");

    ConflictException(Status status, String attempted) {
        super(status, attempted);
    }

    /**
     * The fields that a server-side apply would have changed although another manager owns them, as the server names them. Empty for any
     * other conflict. Apply without these fields, or with {@code force}.
     */
    public List<FieldConflict> fields() {
        return status().causes().stream()
                .filter(cause -> cause.reason().equals("FieldManagerConflict"))
                .map(cause -> new FieldConflict(cause.field(), manager(cause.message())))
                .toList();
    }

    private static String manager(String message) {
        Matcher quoted = MANAGER.matcher(message);
        return quoted.find() ? quoted.group(1).replaceAll("\\\\(.)", "$1") : "";
    }

    /**
     * A field that another manager owns.
     *
     * @param field such as {@code .spec.replicas}, or {@code .spec.template.spec.containers[name="web"].image}
     * @param manager such as {@code kubectl}; empty if the server does not say
     */
    public record FieldConflict(String field, String manager) {}
}
