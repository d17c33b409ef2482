package io.reactiveinformer.cloud;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.boot.SpringApplicationRunListener;
import org.springframework.boot.bootstrap.ConfigurableBootstrapContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Makes the {@link WatchedConfig} of a start a bean, which ends with the application. A start that fails ends it too: its threads would
 * keep the JVM alive.
 */
final class ConfigRunListener implements SpringApplicationRunListener {

    private @Nullable ConfigurableBootstrapContext bootstrap;

    @Override
    public void starting(ConfigurableBootstrapContext bootstrap) {
        this.bootstrap = bootstrap;
    }

    @Override
    public void contextLoaded(ConfigurableApplicationContext context) {
        WatchedConfig config = config();
        if (config != null) {
            context.getBeanFactory().registerSingleton("watchedConfig", config);
            ((DefaultSingletonBeanRegistry) context.getBeanFactory()).registerDisposableBean("watchedConfig", config::close);
        }
    }

    @Override
    public void failed(@Nullable ConfigurableApplicationContext context, Throwable exception) {
        WatchedConfig config = config();
        if (config != null) {
            config.close();
        }
    }

    private @Nullable WatchedConfig config() {
        return bootstrap != null && bootstrap.isRegistered(WatchedConfig.class) ? bootstrap.get(WatchedConfig.class) : null;
    }
}
