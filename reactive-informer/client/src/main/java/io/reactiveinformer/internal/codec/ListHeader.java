package io.reactiveinformer.internal.codec;

import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Form;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The properties of a list besides its items; they may come before or after them. */
final class ListHeader {

    private static final byte[] RESOURCE_VERSION = "resourceVersion".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CONTINUE = "continue".getBytes(StandardCharsets.US_ASCII);

    /** A kind, of 63 characters at most, and "List"; or a group and a version. */
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9./-]{1,320}");

    private final ResourceType<?> type;
    private final JsonCursor cursor = new JsonCursor();
    private @Nullable String kind;
    private @Nullable String apiVersion;
    private @Nullable String resourceVersion;
    private @Nullable String continueToken;
    private boolean hasItems;
    /** The bytes of what may turn out to be a refusal. */
    private final ByteArrayOutputStream refusal = new ByteArrayOutputStream();

    ListHeader(ResourceType<?> type) {
        this.type = type;
    }

    /** Whether the property is needed; others are skipped without being kept, since they may be large. */
    static boolean keeps(String name) {
        return name.equals("kind") || name.equals("apiVersion") || name.equals("metadata") || isOfStatus(name);
    }

    private static boolean isOfStatus(String name) {
        return name.equals("status") || name.equals("message") || name.equals("reason") || name.equals("details") || name.equals("code");
    }

    void itemsCame() {
        hasItems = true;
    }

    /** @throws UnexpectedAnswerException as soon as the answer is known to be no list */
    void property(String name, byte[] bytes, int from, int to) {
        cursor.over(bytes, from, to);
        switch (name) {
            case "kind" -> {
                kind = word(cursor.string());
                if ("Table".equals(kind)) {
                    throw unexpected("a " + kind);
                }
                note(name, bytes, from, to);
            }
            case "apiVersion" -> {
                apiVersion = word(cursor.string());
                note(name, bytes, from, to);
            }
            case "metadata" -> metadata();
            default -> {
                if (isOfStatus(name)) {
                    note(name, bytes, from, to);
                }
            }
        }
    }

    private void note(String name, byte[] bytes, int from, int to) {
        if (refusal.size() + to - from <= ObjectCodec.LARGEST_REFUSAL) {
            refusal.writeBytes(((refusal.size() == 0 ? "{\"" : ",\"") + name + "\":").getBytes(StandardCharsets.US_ASCII));
            refusal.write(bytes, from, to - from);
        }
    }

    /**
     * The kind and version of a list in protocol buffers.
     *
     * @throws UnexpectedAnswerException if it is no list
     */
    void type(@Nullable String apiVersion, @Nullable String kind) {
        this.apiVersion = word(apiVersion);
        this.kind = word(kind);
        boolean isList = this.kind != null && this.kind.endsWith("List") && (type.form() == Form.METADATA
                || this.kind.equals(type.kind() + "List") && type.apiVersion().equals(this.apiVersion));
        if (!isList && !isStatus()) {
            throw unexpected(this.kind == null ? "an object of no kind" : "a " + this.kind + " of " + this.apiVersion);
        }
    }

    boolean isStatus() {
        return "Status".equals(kind);
    }

    /** The status that came in protocol buffers instead of a list. */
    RuntimeException refusal(byte[] bytes, int from, int to) {
        Status status = StatusReader.ofMessage(apiVersion, bytes, from, to);
        return status == null ? unexpected("a Status") : StatusException.of(status, "list " + type);
    }

    void metadata(@Nullable String resourceVersion, @Nullable String continueToken) {
        this.resourceVersion = resourceVersion;
        this.continueToken = continueToken;
    }

    /** To be called at the end of the body. */
    void failIfRefused() {
        if ("Status".equals(kind)) {
            refusal.write('}');
            byte[] json = refusal.toByteArray();
            Status status = StatusReader.insteadOfValue(json, 0, json.length);
            if (status != null) {
                throw StatusException.of(status, "list " + type);
            }
        }
    }

    /** The value is written into items, and into messages: a malformed one counts as absent. */
    private static @Nullable String word(@Nullable String said) {
        return said != null && WORD.matcher(said).matches() ? said : null;
    }

    private void metadata() {
        if (!cursor.enter()) {
            return;
        }
        while (cursor.nextName()) {
            if (cursor.nameIs(RESOURCE_VERSION)) {
                resourceVersion = cursor.string();
            } else if (cursor.nameIs(CONTINUE)) {
                continueToken = cursor.string();
            } else {
                cursor.skip();
            }
        }
    }

    /**
     * The end of the list. Its version is the empty text if the server sent none, as some aggregated API servers do; then there is no
     * version to watch from.
     */
    <T> ObjectEvent.PageEnd<T> end() {
        failIfRefused();
        if (!hasItems || "Status".equals(kind)) {
            throw unexpected(kind == null ? "JSON of no kind" : "a " + kind);
        }
        boolean last = continueToken == null || continueToken.isEmpty();
        if (resourceVersion != null && resourceVersion.length() > ResourceVersion.LONGEST) {
            throw new UnexpectedAnswerException("the list of " + type + " has a resourceVersion of " + resourceVersion.length()
                    + " characters; expected " + ResourceVersion.LONGEST + " at most");
        }
        return new ObjectEvent.PageEnd<>(resourceVersion == null ? "" : resourceVersion, last ? null : continueToken);
    }

    UnexpectedAnswerException unexpected(String came) {
        return new UnexpectedAnswerException("expected a list of " + type + ", but " + came + " came");
    }

    /** The {@code apiVersion} of items that have none themselves. */
    String apiVersion() {
        if (type.form() == Form.METADATA) {
            return "meta.k8s.io/v1";
        }
        return type.kind() == null && apiVersion != null ? apiVersion : type.apiVersion();
    }

    /** The {@code kind} of items that have none themselves; null if it is unknown. */
    @Nullable String itemKind() {
        if (type.form() == Form.METADATA) {
            return "PartialObjectMetadata";
        }
        if (type.kind() != null) {
            return type.kind();
        }
        return kind != null && kind.endsWith("List") ? kind.substring(0, kind.length() - "List".length()) : null;
    }
}
