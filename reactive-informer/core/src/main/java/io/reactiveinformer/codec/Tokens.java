package io.reactiveinformer.codec;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** What Jackson makes tokens with, for all codecs: the names that it remembers are bounded. */
final class Tokens {

    static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(ObjectCodec.DEEPEST).build())
            .build();

    private Tokens() {}
}
