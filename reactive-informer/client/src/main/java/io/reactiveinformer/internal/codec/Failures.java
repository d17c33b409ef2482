package io.reactiveinformer.internal.codec;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.UnreadableObjectException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.MismatchedInputException;

/**
 * Failures that name the object that cannot be read, the place in it, and what was expected there. Jackson's own messages quote the body,
 * which may be a secret, so they are not passed on.
 */
final class Failures {

    /** Part of Jackson's messages about its limits. */
    private static final Pattern LENGTH_AND_LIMIT = Pattern.compile("\\(([0-9]+)\\) exceeds the maximum allowed \\(([0-9]+)");

    private static final Pattern INDEX = Pattern.compile("/([0-9]+)(?=/|$)");
    private static final int LONGEST_PATH = 500;
    private static final String TOO_DEEP = "it is nested deeper than " + ObjectCodec.DEEPEST;

    static final String NUMBER = "a number in it is larger or smaller than can be read";

    private Failures() {}

    static UnreadableObjectException tooLarge(ResourceType<?> type, @Nullable ObjectKey key, int largest) {
        return new UnreadableObjectException("cannot read " + name(type, key) + ": it is larger than " + (largest >> 10) + " KiB", null);
    }

    /** @param bytes contain the object as JSON, from {@code from} to {@code to}; asked only about limits of Jackson */
    static UnreadableObjectException unreadable(ResourceType<?> type, @Nullable ObjectKey key,
            Throwable failure, byte[] bytes, int from, int to) {
        String what = "cannot read " + name(type, key);
        if (failure instanceof StreamConstraintsException beyond) {
            String known = at(beyond);
            return new UnreadableObjectException(what + (known.isEmpty() ? at(bytes, from, to) : known) + ": " + limit(beyond), null);
        }
        if (failure instanceof MismatchedInputException mismatch) {
            return new UnreadableObjectException(what + at(mismatch) + ": expected " + target(mismatch), null);
        }
        if (failure instanceof StreamReadException malformed) {
            return new UnreadableObjectException(what + ": no well-formed JSON" + byteOffset(malformed), null);
        }
        if (failure instanceof MalformedMessageException malformed) {
            return new UnreadableObjectException(what + ": " + malformed.getMessage(), malformed);
        }
        if (failure instanceof JacksonException other) {
            Throwable cause = other.getCause();
            if (cause instanceof BeyondLimitException beyond) {
                return new UnreadableObjectException(what + at(other) + ": " + beyond.getMessage(), null);
            }
            return cause == null || cause instanceof JacksonException
                    ? new UnreadableObjectException(what + at(other) + ": " + other.getClass().getSimpleName(), null)
                    : new UnreadableObjectException(what + at(other) + ": " + cause.getClass().getName(), cause);
        }
        if (failure instanceof NumberFormatException) {
            return new UnreadableObjectException(what + ": " + NUMBER, null);
        }
        return new UnreadableObjectException(what + ": " + failure.getClass().getName(), failure);
    }

    /** The limit of Jackson that was reached; Jackson's message would say how to raise it in a program that uses Jackson. */
    static String limit(StreamConstraintsException beyond) {
        String said = String.valueOf(beyond.getOriginalMessage());
        if (said.contains("nesting depth")) {
            return TOO_DEEP;
        }
        Matcher numbers = LENGTH_AND_LIMIT.matcher(said);
        return numbers.find()
                ? numbers.group(1) + " characters of a text, a name or a number, of which at most " + numbers.group(2) + " are read"
                : "a text, a name or a number in it is longer than is read";
    }

    private static String name(ResourceType<?> type, @Nullable ObjectKey key) {
        return key == null ? "an object of " + type : type + " " + key;
    }

    /** The place where a limit of Jackson is reached, which its exception does not name; empty for the depth, which is no single place. */
    private static String at(byte[] bytes, int from, int to) {
        try (JsonParser parser = Tokens.JSON.createParser(ObjectReadContext.empty(), bytes, from, to - from)) {
            try {
                while (parser.nextToken() != null) {
                    // until it fails again
                }
            } catch (JacksonException beyond) {
                String path = parser.streamReadContext().pathAsPointer().toString();
                return path.isEmpty() || path.length() > LONGEST_PATH ? "" : " at "
                        + INDEX.matcher(path.substring(1)).replaceAll("[$1]").replace('/', '.');
            }
        }
        return "";
    }

    private static String at(JacksonException failure) {
        if (failure.getPath().isEmpty() || failure.getPath().size() > LONGEST_PATH / 2) {
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
