package io.reactiveinformer.internal.codec;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.jdk.StringDeserializer;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/**
 * Reads name, namespace, uid and resourceVersion in an object's metadata: the {@link Skim} has made these strings already. Elsewhere, such
 * as in a pod's template, reads an ordinary string.
 */
public final class IdentityString extends StdScalarDeserializer<String> {

    public IdentityString() {
        super(String.class);
    }

    @Override
    public @Nullable String deserialize(JsonParser parser, DeserializationContext context) {
        if (!parser.hasToken(JsonToken.VALUE_STRING) || !(context.getAttribute(Skim.class) instanceof Skim skim)) {
            return StringDeserializer.instance.deserialize(parser, context);
        }
        skim.isInObject = true;
        String text = parser.getString();
        return text.equals(skim.uid) ? skim.uid
                : text.equals(skim.name) ? skim.name
                : text.equals(skim.namespace) ? skim.namespace
                : text.equals(skim.resourceVersion) ? skim.resourceVersion : text;
    }
}
