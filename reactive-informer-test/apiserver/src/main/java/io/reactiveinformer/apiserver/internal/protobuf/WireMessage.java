package io.reactiveinformer.apiserver.internal.protobuf;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The fields of a message in protocol buffers. A field that came several times has several values, of which the last one counts. */
record WireMessage(UnknownFieldSet fields) {

    static WireMessage of(ByteString bytes) {
        try {
            return new WireMessage(UnknownFieldSet.parseFrom(bytes));
        } catch (InvalidProtocolBufferException failure) {
            throw new ProtobufException("the bytes end in the middle of a field, or are no fields: " + failure.getMessage());
        }
    }

    /** A message with these values as its fields 1, 2, and so on. */
    static UnknownFieldSet with(Field... values) {
        var message = UnknownFieldSet.newBuilder();
        for (int i = 0; i < values.length; i++) {
            message.addField(i + 1, values[i]);
        }
        return message.build();
    }

    static Field varint(long value) {
        return Field.newBuilder().addVarint(value).build();
    }

    static Field fixed(double value) {
        return Field.newBuilder().addFixed64(Double.doubleToLongBits(value)).build();
    }

    static Field text(String value) {
        return bytes(ByteString.copyFromUtf8(value));
    }

    static Field bytes(ByteString value) {
        return Field.newBuilder().addLengthDelimited(value).build();
    }

    static Field message(UnknownFieldSet value) {
        return bytes(value.toByteString());
    }

    boolean has(int field) {
        return fields.hasField(field);
    }

    Stream<Long> numbers(int field) {
        return all(field, Field::getVarintList);
    }

    Stream<Double> doubles(int field) {
        return all(field, Field::getFixed64List).map(Double::longBitsToDouble);
    }

    Stream<ByteString> bytes(int field) {
        return all(field, Field::getLengthDelimitedList);
    }

    Stream<String> texts(int field) {
        return bytes(field).map(ByteString::toStringUtf8);
    }

    Stream<WireMessage> messages(int field) {
        return bytes(field).map(WireMessage::of);
    }

    /** The number in this field; 0 if there is none. */
    long number(int field) {
        return numbers(field).reduce(0L, (one, next) -> next);
    }

    /** The text in this field; empty if there is none. */
    String text(int field) {
        return texts(field).reduce("", (one, next) -> next);
    }

    private <T> Stream<T> all(int number, Function<Field, List<T>> ofKind) {
        Field field = fields.getField(number);
        int values = field.getVarintList().size() + field.getFixed32List().size() + field.getFixed64List().size()
                + field.getLengthDelimitedList().size() + field.getGroupList().size();
        if (values > ofKind.apply(field).size()) {
            throw new ProtobufException("field " + number + " is of another wire type");
        }
        return ofKind.apply(field).stream();
    }
}
