package io.reactiveinformer.internal.codec;

import io.reactiveinformer.internal.codec.ClassReaders.ObjectReader;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Form;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Binds protocol buffers. One for each body. */
final class MessageBinding<T> extends Binding<T> {

    private final ObjectReader messages;
    private final SharedStrings strings;
    private @Nullable String apiVersion;
    private @Nullable String kind;

    MessageBinding(
            ResourceType<T> type, Skim skim, Readers.Reader reader, ObjectReader messages, SharedStrings strings) {
        super(type, skim, reader, false);
        this.messages = messages;
        this.strings = strings;
    }

    /** What the next objects have, whose bytes do not contain it. */
    void setType(@Nullable String apiVersion, @Nullable String kind) {
        this.apiVersion = apiVersion == null ? null : strings.share(apiVersion);
        this.kind = kind == null ? null : strings.share(kind);
    }

    @Override
    Object read(byte[] bytes, int from, int to, @Nullable T before) {
        if (type().form() != Form.METADATA && !(Objects.equals(kind, type().kind()) && type().apiVersion().equals(apiVersion))) {
            throw new MalformedMessageException("it is of another kind or version"); // whose fields may have other numbers
        }
        try {
            return Objects.requireNonNull(messages.read(bytes, from, to, apiVersion, kind, before));
        } catch (MalformedMessageException | JacksonException | BeyondLimitException | NumberFormatException ofObject) {
            throw ofObject;
        } catch (RuntimeException bug) {
            report(bug, "not read in protocol buffers, and JSON is requested for a while");
            throw new MalformedMessageException(bug);
        }
    }
}
