package io.reactiveinformer.config;

import org.jspecify.annotations.Nullable;

/** A source of settings. */
@FunctionalInterface
interface SettingsSource {

    /**
     * Reads the settings; may block. Fails with {@link ConfigException}.
     *
     * @param context of a kubeconfig; null for its current one
     */
    Settings read(Environment environment, @Nullable String context);

    /** A source that sets only an address. */
    static SettingsSource address(String url) {
        return (environment, context) -> {
            refuseContext(context);
            var settings = new Settings();
            settings.server = new Setting(url, "ClusterConfig.of");
            settings.credentialsInTheClear = true;
            return settings;
        };
    }

    static void refuseContext(@Nullable String context) {
        if (context != null) {
            throw new ConfigException("context \"" + context + "\" was requested, but contexts exist in kubeconfig files only");
        }
    }
}
