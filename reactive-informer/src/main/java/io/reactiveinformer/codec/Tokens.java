package io.reactiveinformer.codec;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** What Jackson makes tokens with, for whoever needs them. */
final class Tokens {

    static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(ObjectCodec.DEEPEST).build())
            .build();

    private Tokens() {}
}
