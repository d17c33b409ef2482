package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.store.Snapshot;
import java.util.Map;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** A summary of the informers: how many objects each has, and whether these are complete. */
final class InformersInfoContributor implements InfoContributor {

    static final String NAME = "informers";

    private final Factories informers;

    InformersInfoContributor(Factories informers) {
        this.informers = informers;
    }

    @Override
    public void contribute(Info.Builder builder) {
        builder.withDetail(NAME, informers.each(
                InformersInfoContributor::summary,
                unread -> Map.<String, Object>of("description", unread.name(), "cause", unread.why())));
    }

    private static Map<String, Object> summary(Informer<?> informer) {
        Snapshot<?, ?> rows = informer.snapshot();
        return Map.of("description", informer.description(), "objects", rows.size(), "complete", rows.complete());
    }
}
