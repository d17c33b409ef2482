package io.reactiveinformer.recorder;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to an object. The constructor throws {@link IllegalArgumentException} if reason or action is blank or longer than
 * 128 bytes.
 *
 * @param regarding the object
 * @param related another object that is involved; null for none
 * @param type normal or warning
 * @param reason why, for machines: {@code UpperCamelCase}, of at most 128 bytes
 * @param action what was done or failed, for machines, of at most 128 bytes
 * @param note for people, may be empty; cut to 1,024 bytes
 */
public record Occurrence(
        ObjectReference regarding, @Nullable ObjectReference related, Type type, String reason, String action, String note) {

    private static final int LONGEST_WORD = 128;

    /** The types that the server accepts. */
    public enum Type {
        NORMAL("Normal"), WARNING("Warning");

        private final String wire;

        Type(String wire) {
            this.wire = wire;
        }

        String wire() {
            return wire;
        }
    }

    public Occurrence {
        requireWord("reason", reason);
        requireWord("action", action);
        Objects.requireNonNull(note, "note"); // fails here for the caller, not later when it is written
        note = EventText.note(note); // cut here, so that equal notes are counted as one, and to save memory
    }

    /**
     * An occurrence of type Normal without a related object.
     *
     * @param note null for none, as the message of an exception may be
     * @throws IllegalArgumentException if {@code reason} or {@code action} is blank or longer than 128 bytes
     */
    public static Occurrence normal(ObjectReference regarding, String reason, String action, @Nullable String note) {
        return new Occurrence(regarding, null, Type.NORMAL, reason, action, Objects.requireNonNullElse(note, ""));
    }

    /**
     * An occurrence of type Warning without a related object.
     *
     * @param note null for none, as the message of an exception may be
     * @throws IllegalArgumentException if {@code reason} or {@code action} is blank or longer than 128 bytes
     */
    public static Occurrence warning(ObjectReference regarding, String reason, String action, @Nullable String note) {
        return new Occurrence(regarding, null, Type.WARNING, reason, action, Objects.requireNonNullElse(note, ""));
    }

    /** A copy with this {@link #related} object. */
    public Occurrence related(ObjectReference other) {
        return new Occurrence(regarding, other, type, reason, action, note);
    }

    Occurrence noting(String other) {
        return new Occurrence(regarding, related, type, reason, action, other);
    }

    private static void requireWord(String what, String word) {
        if (word.isBlank() || word.getBytes(StandardCharsets.UTF_8).length > LONGEST_WORD) {
            throw new IllegalArgumentException(what + " must have 1 to " + LONGEST_WORD + " bytes, or the server refuses the Event; was \"" + word + "\"");
        }
    }
}
