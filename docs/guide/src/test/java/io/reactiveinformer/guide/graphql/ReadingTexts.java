package io.reactiveinformer.guide.graphql;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/** With its first document graphql-java reads the texts of its messages from its jar, on the event loop. */
public final class ReadingTexts implements BlockHoundIntegration {

    @Override
    public void applyTo(BlockHound.Builder builder) {
        builder.allowBlockingCallsInside("graphql.i18n.I18n", "i18n");
    }
}
