package io.reactiveinformer.internal.codec;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import java.math.BigInteger;
import java.time.OffsetDateTime;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.jdk.NumberDeserializers;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/** The scalars of the models that JSON does not have: times, quantities, and values that are a number or a string. */
final class Scalars {

    private Scalars() {}

    /** @param shared gives equal values as one instance; null if each is an instance of its own */
    static SimpleModule module(@Nullable SharedScalars shared) {
        return new SimpleModule("scalars")
                .addDeserializer(OffsetDateTime.class,
                        new FromText<>(OffsetDateTime.class, shared == null ? Times::parse : shared.times()::value))
                .addDeserializer(Quantity.class,
                        new FromText<>(Quantity.class, shared == null ? Quantities::parse : shared.quantities()::value))
                .addDeserializer(BigInteger.class, new WholeNumberReader())
                .addDeserializer(IntOrString.class, new IntOrStringReader())
                .addSerializer(OffsetDateTime.class, new ToText<>(OffsetDateTime.class, Times::format))
                .addSerializer(Quantity.class, new ToText<>(Quantity.class, Quantities::format))
                .addSerializer(IntOrString.class, new IntOrStringWriter());
    }

    /** Reads immutable values that are written as a string or number. */
    private static final class FromText<V> extends StdScalarDeserializer<V> {

        private final Class<V> type;
        private final Function<String, V> parse;

        FromText(Class<V> type, Function<String, V> parse) {
            super(type);
            this.type = type;
            this.parse = parse;
        }

        @Override
        public @Nullable V deserialize(JsonParser parser, DeserializationContext context) {
            JsonToken token = parser.currentToken();
            if (token != JsonToken.VALUE_STRING && !token.isNumeric()) {
                return type.cast(context.handleUnexpectedToken(type, parser));
            }
            try {
                return parse.apply(parser.getString());
            } catch (BeyondLimitException beyond) {
                throw beyond;
            } catch (RuntimeException malformed) {
                return type.cast(context.handleWeirdStringValue(type, parser.getString(), "malformed"));
            }
        }
    }

    /** Limits exponents: six bytes of text could stand for a hundred thousand digits. */
    private static final class WholeNumberReader extends StdScalarDeserializer<BigInteger> {

        /** No number that is read has more digits. */
        private static final int LARGEST_EXPONENT = StreamReadConstraints.DEFAULT_MAX_NUM_LEN;

        WholeNumberReader() {
            super(BigInteger.class);
        }

        @Override
        public @Nullable BigInteger deserialize(JsonParser parser, DeserializationContext context) {
            if (parser.hasToken(JsonToken.VALUE_NUMBER_FLOAT)) {
                int scale = parser.getDecimalValue().scale();
                if (scale < -LARGEST_EXPONENT) {
                    throw new BeyondLimitException("an exponent of " + -(long) scale + "; at most " + LARGEST_EXPONENT + " is read");
                }
            }
            return NumberDeserializers.BigIntegerDeserializer.instance.deserialize(parser, context);
        }

        @Override
        public Object getEmptyValue(DeserializationContext context) {
            return NumberDeserializers.BigIntegerDeserializer.instance.getEmptyValue(context);
        }
    }

    private static final class IntOrStringReader extends StdScalarDeserializer<IntOrString> {

        IntOrStringReader() {
            super(IntOrString.class);
        }

        @Override
        public @Nullable IntOrString deserialize(JsonParser parser, DeserializationContext context) {
            return switch (parser.currentToken()) {
                case VALUE_NUMBER_INT -> new IntOrString(parser.getIntValue());
                case VALUE_STRING -> new IntOrString(parser.getString());
                default -> (IntOrString) context.handleUnexpectedToken(IntOrString.class, parser);
            };
        }
    }

    private static final class ToText<V> extends StdScalarSerializer<V> {

        private final Function<V, String> format;

        ToText(Class<V> type, Function<V, String> format) {
            super(type);
            this.format = format;
        }

        @Override
        public void serialize(V value, JsonGenerator generator, SerializationContext context) {
            generator.writeString(format.apply(value));
        }
    }

    private static final class IntOrStringWriter extends StdScalarSerializer<IntOrString> {

        IntOrStringWriter() {
            super(IntOrString.class);
        }

        @Override
        public void serialize(IntOrString value, JsonGenerator generator, SerializationContext context) {
            if (value.isInteger()) {
                generator.writeNumber(value.getIntValue());
            } else {
                generator.writeString(value.getStrValue());
            }
        }
    }
}
