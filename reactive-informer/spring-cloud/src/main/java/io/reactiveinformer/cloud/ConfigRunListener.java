package io.reactiveinformer.cloud;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplicationRunListener;
import org.springframework.boot.bootstrap.ConfigurableBootstrapContext;
import org.springframework.context.ConfigurableApplicationContext;

/** Ends the {@link WatchedConfig} of a start that fails, also before there are beans: its threads would keep the JVM alive. */
final class ConfigRunListener implements SpringApplicationRunListener {

    private @Nullable ConfigurableBootstrapContext bootstrap;

    @Override
    public void starting(ConfigurableBootstrapContext bootstrap) {
        this.bootstrap = bootstrap;
    }

    @Override
    public void failed(@Nullable ConfigurableApplicationContext context, Throwable exception) {
        WatchedConfig config = bootstrap == null ? null : bootstrap.getOrElse(WatchedConfig.class, null);
        if (config != null) {
            config.close();
        }
    }
}
