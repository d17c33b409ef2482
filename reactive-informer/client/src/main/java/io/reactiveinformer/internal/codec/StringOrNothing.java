package io.reactiveinformer.internal.codec;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/** {@code V1Status.status}: old servers answer a deletion with the object, whose {@code status} is no string; then there is none. */
public final class StringOrNothing extends StdScalarDeserializer<String> {

    public StringOrNothing() {
        super(String.class);
    }

    @Override
    public @Nullable String deserialize(JsonParser parser, DeserializationContext context) {
        if (parser.hasToken(JsonToken.VALUE_STRING)) {
            return parser.getString();
        }
        parser.skipChildren();
        return null;
    }
}
