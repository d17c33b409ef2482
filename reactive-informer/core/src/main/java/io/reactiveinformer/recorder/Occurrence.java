package io.reactiveinformer.recorder;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to an object.
 *
 * @param related another object that has to do with it
 * @param reason why, for machines: {@code UpperCamelCase}, of at most 128 bytes
 * @param action what was done or failed, for machines, of at most 128 bytes
 * @param note for people, which may be empty; what is beyond 1,024 bytes is cut off
 */
public record Occurrence(
        ObjectReference regarding, @Nullable ObjectReference related, Type type, String reason, String action, String note) {

    private static final int LONGEST_WORD = 128;

    /** What the server knows. */
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
        Objects.requireNonNull(note, "note"); // here, where somebody sees it, and not when it is written
        note = EventText.note(note); // what is kept is what is written: equal ones are counted, and none takes more memory
    }

    /** @param note null for none, as the message of a failure may be */
    public static Occurrence normal(ObjectReference regarding, String reason, String action, @Nullable String note) {
        return new Occurrence(regarding, null, Type.NORMAL, reason, action, Objects.requireNonNullElse(note, ""));
    }

    /** @param note null for none, as the message of a failure may be */
    public static Occurrence warning(ObjectReference regarding, String reason, String action, @Nullable String note) {
        return new Occurrence(regarding, null, Type.WARNING, reason, action, Objects.requireNonNullElse(note, ""));
    }

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
