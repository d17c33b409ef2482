package io.reactiveinformer.internal.codec;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.deser.jdk.StringDeserializer;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/** Reads strings, equal ones as one instance. */
final class SharedStringDeserializer extends StdScalarDeserializer<String> {

    private final SharedStrings strings;

    SharedStringDeserializer(SharedStrings strings) {
        super(String.class);
        this.strings = strings;
    }

    @Override
    public @Nullable String deserialize(JsonParser parser, DeserializationContext context) {
        return parser.hasToken(JsonToken.VALUE_STRING)
                ? strings.share(parser.getStringCharacters(), parser.getStringOffset(), parser.getStringLength())
                : StringDeserializer.instance.deserialize(parser, context);
    }

    @Override
    public Object getEmptyValue(DeserializationContext context) {
        return "";
    }

    /** The same for the keys of maps. */
    static final class Keys extends KeyDeserializer {

        private final SharedStrings strings;

        Keys(SharedStrings strings) {
            this.strings = strings;
        }

        @Override
        public Object deserializeKey(String key, DeserializationContext context) {
            return strings.share(key);
        }
    }
}
