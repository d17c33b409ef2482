package io.reactiveinformer.internal.codec;

import io.reactiveinformer.resource.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/** Reads a refusal of any form: a Status, a part of one, some other JSON, a page, a line of text, nothing. Never fails. */
final class StatusReader {

    private static final int LONGEST_MESSAGE = 2048;
    /** Limit of causes that are kept: the first hundred are enough to see what is wrong. */
    private static final int MOST_CAUSES = 100;
    /** Lower codes are no refusal. */
    private static final int FIRST_REFUSAL = 400;
    /**
     * Control characters, which a terminal might obey, and separators, which would begin a line. The server's own line feeds and tabs are
     * kept.
     */
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}\uFFFD&&[^\n\t]]+");
    private static final Pattern TITLE = Pattern.compile("<title[^<>]*+>([^<]*+)</title", Pattern.CASE_INSENSITIVE);

    // The fields of a Status, its details and its causes in protocol buffers.
    private static final int OUTCOME = 2 << 3 | Wire.LENGTH;
    private static final int MESSAGE = 3 << 3 | Wire.LENGTH;
    private static final int REASON = 4 << 3 | Wire.LENGTH;
    private static final int DETAILS = 5 << 3 | Wire.LENGTH;
    private static final int CODE = 6 << 3 | Wire.VARINT;
    private static final int CAUSE = 4 << 3 | Wire.LENGTH;
    private static final int RETRY_AFTER = 5 << 3 | Wire.VARINT;
    private static final int REASON_OF_CAUSE = 1 << 3 | Wire.LENGTH;
    private static final int MESSAGE_OF_CAUSE = 2 << 3 | Wire.LENGTH;
    private static final int FIELD_OF_CAUSE = 3 << 3 | Wire.LENGTH;

    private String kind = "";
    private String apiVersion = "";
    private String outcome = "";
    private int code;
    private String reason = "";
    private String message = "";
    private String field = ""; // of a cause
    private final List<Status.Cause> causes = new ArrayList<>();
    private int retryAfterSeconds;

    private StatusReader() {}

    /** The status in an ERROR event; one without a code is taken for an internal failure of the server. */
    static Status ofEvent(byte[] bytes, int from, int to) {
        var reader = new StatusReader();
        reader.read(bytes, from, to);
        if (reader.message.isEmpty() && reader.reason.isEmpty()) {
            reader.message = "the watch ended with an error event "
                    + (reader.kind.isEmpty() ? "that says no more" : "about a " + reader.kind);
        }
        return reader.status(reader.code == 0 ? 500 : reader.code, null);
    }

    /** The refusal that came instead of an expected value; null if the bytes are something else, or a Status of success. */
    static @Nullable Status insteadOfValue(byte[] bytes, int from, int to) {
        var reader = new StatusReader();
        reader.read(bytes, from, to);
        return reader.isRefusal() ? reader.status(reader.code < FIRST_REFUSAL ? 500 : reader.code, null) : null;
    }

    /** As {@link #insteadOfValue}, of a message without what says its kind. */
    static @Nullable Status ofMessage(@Nullable String apiVersion, byte[] bytes, int from, int to) {
        var reader = new StatusReader();
        reader.kind = "Status";
        reader.apiVersion = apiVersion == null ? "" : apiVersion;
        var wire = new Wire();
        wire.over(bytes, from, to);
        reader.readStatus(wire);
        return reader.isRefusal() ? reader.status(reader.code < FIRST_REFUSAL ? 500 : reader.code, null) : null;
    }

    /** A custom type may be named Status, too: it has a group. */
    private boolean isRefusal() {
        boolean ofTheServer = apiVersion.isEmpty() || apiVersion.equals("v1") || apiVersion.equals("meta.k8s.io/v1");
        return kind.equals("Status") && ofTheServer
                && (outcome.equals("Failure") || outcome.isEmpty() && (code == 0 || code >= FIRST_REFUSAL));
    }

    static Status ofAnswer(byte[] bytes, int length, int code, @Nullable String contentType, @Nullable Duration retryAfter) {
        var reader = new StatusReader();
        String text = new String(bytes, 0, length, StandardCharsets.UTF_8).strip();
        String type = contentType == null ? "" : contentType.toLowerCase(Locale.ROOT);
        if (text.startsWith("{") || text.startsWith("k8s\0")) {
            reader.read(bytes, 0, length);
        } else if (type.contains("html") || text.startsWith("<")) {
            Matcher title = TITLE.matcher(text);
            reader.message = title.find() ? title.group(1).strip() : "(a page of HTML)";
        } else if (!type.contains("protobuf") && !type.contains("cbor")) {
            reader.message = text;
        }
        if (code >= 502 && code <= 504 && !reader.kind.equals("Status") && retryAfter == null) {
            reader.causes.add(new Status.Cause(Status.NOT_FROM_A_SERVER, "", ""));
        }
        return reader.status(code, retryAfter);
    }

    private Status status(int knownCode, @Nullable Duration retryAfter) {
        Duration wait = retryAfter != null || retryAfterSeconds <= 0 ? retryAfter : Duration.ofSeconds(retryAfterSeconds);
        return new Status(knownCode, reason, bounded(message), causes, wait);
    }

    private static String bounded(String text) {
        String plain = UNPRINTABLE.matcher(text.substring(0, Math.min(text.length(), 2 * LONGEST_MESSAGE))).replaceAll(" ");
        return plain.length() <= LONGEST_MESSAGE ? plain : plain.substring(0, LONGEST_MESSAGE - 1) + "…";
    }

    private void read(byte[] bytes, int from, int to) {
        if (to - from > Wire.MAGIC.length && Arrays.equals(bytes, from, from + Wire.MAGIC.length, Wire.MAGIC, 0, Wire.MAGIC.length)) {
            readMessage(bytes, from, to);
        } else {
            readJson(bytes, from, to);
        }
    }

    private void readMessage(byte[] bytes, int from, int to) {
        var wire = new Wire();
        wire.over(bytes, from, to);
        try {
            var unknown = new RuntimeUnknown(wire);
            apiVersion = unknown.apiVersion == null ? "" : unknown.apiVersion;
            kind = unknown.kind == null ? "" : bounded(unknown.kind);
            if (kind.equals("Status")) {
                wire.over(bytes, unknown.from, unknown.to);
                readStatus(wire);
            }
        } catch (MalformedMessageException endOfWhatCanBeRead) {
            message = message.isEmpty() ? "(the body is no complete protocol buffer)" : message;
        }
    }

    private void readStatus(Wire wire) {
        while (wire.hasMore()) {
            int tag = wire.tag();
            switch (tag) {
                case OUTCOME -> outcome = wire.text();
                case MESSAGE -> message = wire.text();
                case REASON -> reason = bounded(wire.text());
                case DETAILS -> {
                    int outer = wire.enter();
                    readDetails(wire);
                    wire.leave(outer);
                }
                case CODE -> code = (int) wire.varint();
                default -> wire.skip(tag);
            }
        }
    }

    private void readDetails(Wire wire) {
        while (wire.hasMore()) {
            int tag = wire.tag();
            if (tag == CAUSE && causes.size() < MOST_CAUSES) {
                int outer = wire.enter();
                causes.add(cause(wire));
                wire.leave(outer);
            } else if (tag == RETRY_AFTER) {
                retryAfterSeconds = (int) wire.varint();
            } else {
                wire.skip(tag);
            }
        }
    }

    private static Status.Cause cause(Wire wire) {
        String reason = "";
        String message = "";
        String field = "";
        while (wire.hasMore()) {
            int tag = wire.tag();
            switch (tag) {
                case REASON_OF_CAUSE -> reason = bounded(wire.text());
                case MESSAGE_OF_CAUSE -> message = bounded(wire.text());
                case FIELD_OF_CAUSE -> field = bounded(wire.text());
                default -> wire.skip(tag);
            }
        }
        return new Status.Cause(reason, message, field);
    }

    private void readJson(byte[] bytes, int from, int to) {
        try (JsonParser parser = Tokens.JSON.createParser(ObjectReadContext.empty(), bytes, from, to - from)) {
            JsonToken first = parser.nextToken();
            if (first == JsonToken.START_OBJECT) {
                readStatus(parser);
            } else if (first == JsonToken.VALUE_STRING) {
                message = parser.getString();
            }
        } catch (JacksonException endOfWhatCanBeRead) {
            // What was read before is used: half a Status is better than none.
            message = message.isEmpty() ? "(the body is no complete JSON)" : message;
        }
    }

    private void readStatus(JsonParser parser) {
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            parser.nextToken();
            switch (name) {
                case "kind" -> kind = bounded(text(parser));
                case "apiVersion" -> apiVersion = text(parser);
                case "status" -> outcome = text(parser);
                case "code" -> code = number(parser);
                case "reason" -> reason = bounded(text(parser));
                case "message" -> message = text(parser);
                case "field" -> field = bounded(text(parser));
                case "details" -> readDetails(parser);
                default -> parser.skipChildren();
            }
        }
    }

    private void readDetails(JsonParser parser) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return;
        }
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            JsonToken value = parser.nextToken();
            if (name.equals("retryAfterSeconds")) {
                retryAfterSeconds = number(parser);
            } else if (name.equals("causes") && value == JsonToken.START_ARRAY) {
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    if (causes.size() < MOST_CAUSES) {
                        causes.add(cause(parser));
                    } else {
                        parser.skipChildren();
                    }
                }
            } else {
                parser.skipChildren();
            }
        }
    }

    /** A cause has some of the names of a Status, and those that it lacks do no harm. */
    private static Status.Cause cause(JsonParser parser) {
        var cause = new StatusReader();
        cause.readStatus(parser);
        return new Status.Cause(cause.reason, bounded(cause.message), cause.field);
    }

    private static String text(JsonParser parser) {
        if (parser.currentToken() == JsonToken.VALUE_STRING) {
            return parser.getString();
        }
        parser.skipChildren();
        return "";
    }

    private static int number(JsonParser parser) {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            return parser.getIntValue();
        }
        parser.skipChildren();
        return 0;
    }
}
