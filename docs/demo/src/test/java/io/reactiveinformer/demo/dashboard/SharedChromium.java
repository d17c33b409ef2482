package io.reactiveinformer.demo.dashboard;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** Gives all classes the same browser. It opens for the first class, and is closed after the last one. A test leaves an empty tab. */
final class SharedChromium implements BeforeAllCallback {

    private @Nullable Chromium browser;

    @Override
    public void beforeAll(ExtensionContext context) {
        browser = context.getRoot().getStore(Namespace.create(SharedChromium.class))
                .getOrComputeIfAbsent(Chromium.class, none -> Chromium.open(), Chromium.class);
    }

    Chromium browser() {
        return Objects.requireNonNull(browser);
    }
}
