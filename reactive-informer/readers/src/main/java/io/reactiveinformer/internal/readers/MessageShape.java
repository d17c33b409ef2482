package io.reactiveinformer.internal.readers;

import io.reactiveinformer.internal.codec.MalformedMessageException;
import io.reactiveinformer.internal.readers.MessageReader.MessageRoot;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A message that is an object of a model class. */
final class MessageShape extends MessageTree implements MessageRoot {

    private final ModelFields model;
    private final @Nullable MessageField[] table;
    private final int placeOfApiVersion;
    private final int placeOfKind;
    private final @Nullable String apiVersion;
    private final @Nullable String kind;

    /**
     * @param table the fields by number
     * @param placeOfKind -1 if the class has no kind, or the message has a field for it
     * @param kind of objects that are within another: JSON has it there, as in the claims of a StatefulSet
     */
    MessageShape(ModelFields model, @Nullable MessageField[] table, int placeOfApiVersion, int placeOfKind,
            @Nullable String apiVersion, @Nullable String kind) {
        this.model = model;
        this.table = table;
        this.placeOfApiVersion = placeOfApiVersion;
        this.placeOfKind = placeOfKind;
        this.apiVersion = apiVersion;
        this.kind = kind;
    }

    @Override
    Object bind(MessageReader in, @Nullable Object before) {
        if (placeOfKind >= 0) {
            return read(in, apiVersion, kind, before);
        }
        Object along = before != null && model.canBeReadAlong(before) ? before : null;
        return whole(in, along == null ? model.begin() : null, along);
    }

    @Override
    public Object read(MessageReader in, @Nullable String apiVersion, @Nullable String kind, @Nullable Object before) {
        Object made = model.begin();
        if (placeOfKind >= 0) {
            model.set(made, placeOfApiVersion, apiVersion);
            model.set(made, placeOfKind, kind);
        }
        return whole(in, made, before != null && model.canBeReadAlong(before) ? before : null);
    }

    /**
     * Reads along the cached state, and makes an object only where something differs from it, unless one was {@code made} before. One of
     * the two is not null.
     */
    private Object whole(MessageReader in, @Nullable Object made, @Nullable Object before) {
        Object begun = fields(in, table, made, before, 0);
        return begun != null ? begun : model.sameOrCopy(Objects.requireNonNull(before), in.seen);
    }

    /**
     * Reads the fields of this message, or of one whose fields belong to it. Null if all are as in {@code before}.
     *
     * @param already the places of the fields that were read before, a bit for each; those of all are in {@link MessageReader#seen} then
     */
    private @Nullable Object fields(MessageReader in, @Nullable MessageField[] fields,
            @Nullable Object made, @Nullable Object before, long already) {
        Object begun = made;
        long seen = already;
        while (in.hasMore()) {
            int tag = in.tag();
            MessageField field = MessageField.find(fields, tag);
            if (field == null) {
                in.skipUnknown(tag);
            } else if (field.inline() != null) {
                int outer = in.enter();
                begun = fields(in, field.inline(), begun, before, seen);
                seen = in.seen;
                in.leave(outer);
            } else if (!field.omits(in)) {
                Object valueBefore = before == null ? null : model.get(before, field.place());
                Object value = field.value().read(in, valueBefore);
                if (value == null) {
                    continue;
                }
                if ((seen >>> field.place() & 1) != 0) { // or elements that do not follow one another: no server writes them so
                    throw new MalformedMessageException("a field occurs twice");
                }
                if (begun == null && value != valueBefore) {
                    begun = model.copy(Objects.requireNonNull(before), seen);
                }
                if (begun != null) {
                    model.set(begun, field.place(), value);
                }
                seen |= 1L << field.place();
            }
        }
        in.seen = seen;
        return begun;
    }
}
