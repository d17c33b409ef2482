package io.reactiveinformer.internal.readers;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.internal.codec.MalformedMessageException;
import io.reactiveinformer.internal.codec.ProjectionDeserializer;
import io.reactiveinformer.internal.codec.Wire;
import io.reactiveinformer.internal.readers.MessageReader.MessageRoot;
import io.reactiveinformer.resource.PartialObjectMetadata;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Objects of which a part is read. */
final class MessageProjection {

    private MessageProjection() {}

    /**
     * What is read of a field.
     *
     * @param index of the component that the field is; -1 if components are within it
     * @param field reads the component
     * @param within what is read of the message, or of the values of the map
     * @param entries what is read of a map's entries, by key; empty if this is a message
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared, nor written to
    record Step(int index, @Nullable MessageField field, @Nullable Step[] within, List<Entry> entries) {}

    /** @param value reads the entry, if it is a component; otherwise {@code step} is what is read of it */
    @SuppressWarnings("ArrayRecordComponent") // never compared, nor written to
    record Entry(byte[] key, int index, MessageValue value, @Nullable Step step) {}

    /** A record whose components are anywhere in the object; all else is skipped, and not validated. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, nor written to
    record OfComponents(ProjectionDeserializer jackson, @Nullable Step[] steps, int apiVersion, int kind) implements MessageRoot {

        @Override
        public Object read(MessageReader in, @Nullable String apiVersion, @Nullable String kind, @Nullable Object before) {
            var values = new @Nullable Object[jackson.components()];
            if (this.apiVersion >= 0) {
                values[this.apiVersion] = apiVersion;
            }
            if (this.kind >= 0) {
                values[this.kind] = kind;
            }
            read(in, steps, values);
            return jackson.create(values, in.context());
        }

        private static void read(MessageReader in, @Nullable Step[] steps, @Nullable Object[] values) {
            while (in.hasMore()) {
                int tag = in.tag();
                int number = Wire.number(tag);
                Step step = number < steps.length ? steps[number] : null;
                if (step == null) {
                    in.skip(tag);
                } else if (step.field != null) {
                    step.field.value().check(tag);
                    if (!step.field.omits(in)) {
                        if (values[step.index] != null) {
                            throw new MalformedMessageException("a field occurs twice");
                        }
                        values[step.index] = step.field.value().read(in, null);
                    }
                } else {
                    int outer = in.enter();
                    if (step.entries.isEmpty()) {
                        read(in, step.within, values);
                    } else {
                        entry(in, step.entries, values);
                    }
                    in.leave(outer);
                }
            }
        }

        private static void entry(MessageReader in, List<Entry> entries, @Nullable Object[] values) {
            Entry found = null;
            while (in.hasMore()) {
                int tag = in.tag();
                if (tag == MessageTree.OfMap.KEY) {
                    int length = in.length();
                    found = find(entries, in.bytes, in.at, length);
                    in.at += length;
                } else if (Wire.number(tag) == MessageTree.OfMap.VALUE && found != null) {
                    found.value.check(tag);
                    if (found.step == null) {
                        values[found.index] = found.value.read(in, null);
                    } else {
                        int outer = in.enter();
                        read(in, found.step.within, values);
                        in.leave(outer);
                    }
                } else {
                    in.skip(tag);
                }
            }
        }

        private static @Nullable Entry find(List<Entry> entries, byte[] bytes, int from, int length) {
            for (Entry entry : entries) {
                if (Arrays.equals(entry.key, 0, entry.key.length, bytes, from, from + length)) {
                    return entry;
                }
            }
            return null;
        }
    }

    /** The metadata only. */
    record OfMetadata(MessageShape metadata) implements MessageRoot {

        private static final int METADATA = Wire.tag(1, Wire.LENGTH);

        @Override
        public Object read(MessageReader in, @Nullable String apiVersion, @Nullable String kind, @Nullable Object before) {
            V1ObjectMeta held = before instanceof PartialObjectMetadata partial ? partial.metadata() : null;
            var read = new V1ObjectMeta();
            while (in.hasMore()) {
                int tag = in.tag();
                if (tag == METADATA) {
                    read = (V1ObjectMeta) in.tree(metadata, in.endOfMessage(), held);
                } else {
                    in.skip(tag);
                }
            }
            return new PartialObjectMetadata(apiVersion, kind, read);
        }
    }
}
