package io.reactiveinformer.internal.codec;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** Jackson's token factory, shared by all codecs, so that the number of names it remembers is bounded. */
public final class Tokens {

    public static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(ObjectCodec.DEEPEST).build())
            .build();

    private Tokens() {}
}
