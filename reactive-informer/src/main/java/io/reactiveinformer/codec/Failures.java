package io.reactiveinformer.codec;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.UnreadableObjectException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.MismatchedInputException;

/**
 * Says which object cannot be read, where in it, and what was expected there. Jackson's own messages quote the body, which may be a secret, so
 * they are not passed on.
 */
final class Failures {

    private Failures() {}

    static UnreadableObjectException tooLarge(ResourceType<?> type, @Nullable ObjectKey key, int largest) {
        return new UnreadableObjectException("cannot read " + name(type, key) + ": it is larger than " + (largest >> 10) + " KiB", null);
    }

    static UnreadableObjectException unreadable(ResourceType<?> type, @Nullable ObjectKey key, Throwable failure) {
        String what = "cannot read " + name(type, key);
        if (failure instanceof StreamConstraintsException beyond) {
            return new UnreadableObjectException(what + ": " + limit(beyond), null);
        }
        if (failure instanceof MismatchedInputException mismatch) {
            return new UnreadableObjectException(what + at(mismatch) + ": expected " + target(mismatch), null);
        }
        if (failure instanceof StreamReadException malformed) {
            return new UnreadableObjectException(what + ": no well-formed JSON" + byteOffset(malformed), null);
        }
        if (failure instanceof JacksonException other) {
            Throwable cause = other.getCause();
            return cause == null || cause instanceof JacksonException
                    ? new UnreadableObjectException(what + at(other) + ": " + other.getClass().getSimpleName(), null)
                    : new UnreadableObjectException(what + at(other) + ": " + cause.getClass().getName(), cause);
        }
        return new UnreadableObjectException(what + ": " + failure.getClass().getName(), failure);
    }

    /** Which limit of Jackson's was reached; its own words say how to raise it in a program that uses Jackson. */
    static String limit(StreamConstraintsException beyond) {
        return String.valueOf(beyond.getMessage()).contains("nesting depth")
                ? "it is nested deeper than " + ObjectCodec.DEEPEST
                : "a text, a name or a number in it is longer than is read";
    }

    private static String name(ResourceType<?> type, @Nullable ObjectKey key) {
        return key == null ? "an object of " + type : type + " " + key;
    }

    private static String at(JacksonException failure) {
        if (!(failure instanceof DatabindException) || failure.getPath().isEmpty()) {
            return "";
        }
        var path = new StringBuilder(" at ");
        for (JacksonException.Reference step : failure.getPath()) {
            if (step.getPropertyName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.length() > " at ".length() ? "." : "").append(step.getPropertyName());
            }
        }
        return path.toString();
    }

    private static String target(MismatchedInputException mismatch) {
        return mismatch.getTargetType() == null ? "something else" : mismatch.getTargetType().getSimpleName();
    }

    private static String byteOffset(StreamReadException malformed) {
        return malformed.getLocation() == null ? "" : " near byte " + malformed.getLocation().getByteOffset();
    }
}
