package io.reactiveinformer.internal.codec;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.StringNode;

/** Makes trees whose equal strings are one instance. */
final class SharedNodes extends JsonNodeFactory {

    private static final long serialVersionUID = 1L;

    private final transient SharedStrings strings;

    SharedNodes(SharedStrings strings) {
        this.strings = strings;
    }

    @Override
    public StringNode stringNode(String text) {
        return super.stringNode(strings.share(text));
    }
}
