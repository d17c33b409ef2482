package io.reactiveinformer.cloud;

import io.reactiveinformer.config.Cluster;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.config.ConfigException;
import io.reactiveinformer.resource.ObjectKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.logging.Log;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.bootstrap.BootstrapRegistry.InstanceSupplier;
import org.springframework.boot.bootstrap.ConfigurableBootstrapContext;
import org.springframework.boot.context.config.ConfigData;
import org.springframework.boot.context.config.ConfigDataLoader;
import org.springframework.boot.context.config.ConfigDataLoaderContext;
import org.springframework.boot.context.config.ConfigDataLocation;
import org.springframework.boot.context.config.ConfigDataLocationResolver;
import org.springframework.boot.context.config.ConfigDataLocationResolverContext;
import org.springframework.boot.context.config.ConfigDataResource;
import org.springframework.boot.context.config.Profiles;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.logging.DeferredLogFactory;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.env.PropertySource;

/**
 * Resolves and loads {@code spring.config.import: kubernetes:configmap/NAME}, also with {@code secret}, and with a namespace before the
 * name. For each active profile, {@code NAME-PROFILE} and the file {@code application-PROFILE} follow, if they exist.
 *
 * <p>Spring Cloud resolves and loads again at each refresh, with the bootstrap context of the start, in which the informers are.
 */
final class KubernetesConfigData
        implements ConfigDataLocationResolver<KubernetesConfigData.Imported>, ConfigDataLoader<KubernetesConfigData.Imported> {

    private static final String PREFIX = "kubernetes:";
    private static final Pattern PLACE = Pattern.compile("(configmap|secret)/(?:([-a-z0-9]+)/)?([-a-z0-9.]+)");

    /** Files only are read, so that more means a file system that hangs. */
    private static final Duration READING = Duration.ofSeconds(30);

    private final Log log;

    /** @param logs keeps what is logged before the application has read how to log */
    KubernetesConfigData(DeferredLogFactory logs) {
        this.log = logs.getLog(KubernetesConfigData.class);
    }

    @Override
    public boolean isResolvable(ConfigDataLocationResolverContext context, ConfigDataLocation location) {
        return location.hasPrefix(PREFIX);
    }

    @Override
    public List<Imported> resolve(ConfigDataLocationResolverContext context, ConfigDataLocation location) {
        Place place = place(context, location);
        return List.of(place == null
                ? new Imported() : place.source(place.key(), ConfigSource.APPLICATION, location.isOptional()));
    }

    @Override
    public List<Imported> resolveProfileSpecific(
            ConfigDataLocationResolverContext context, ConfigDataLocation location, Profiles profiles) {
        Place place = place(context, location);
        List<Imported> resolved = new ArrayList<>();
        if (place != null) {
            for (String profile : profiles.getActive()) {
                ObjectKey key = place.key();
                resolved.add(place.source(key, ConfigSource.APPLICATION + "-" + profile, true));
                ObjectKey ofProfile = ObjectKey.of(key.namespace(), key.name() + "-" + profile);
                resolved.add(place.source(ofProfile, ConfigSource.APPLICATION, true));
            }
        }
        return resolved;
    }

    @Override
    public ConfigData load(ConfigDataLoaderContext context, Imported imported) {
        return new ConfigData(imported.load(log));
    }

    /** Null if informers are disabled, in ahead-of-time processing, or if the location is optional and there is no cluster. */
    private @Nullable Place place(ConfigDataLocationResolverContext context, ConfigDataLocation location) {
        String text = location.getNonPrefixedValue(PREFIX);
        Matcher parts = PLACE.matcher(text);
        if (!parts.matches()) {
            throw new ConfigNotReadException("\"" + location + "\" names no ConfigMap or Secret",
                    "Write kubernetes:configmap/NAME or kubernetes:secret/NAME, or kubernetes:configmap/NAMESPACE/NAME.");
        }
        if (!context.getBinder().bind("reactive-informer.enabled", Boolean.class).orElse(true)
                || context.getBinder().bind(AbstractAotProcessor.AOT_PROCESSING, Boolean.class).orElse(false)) {
            return null;
        }
        try {
            WatchedConfig config = config(context.getBootstrapContext(), context.getBinder());
            String namespace = parts.group(2) == null ? config.namespace() : parts.group(2);
            ConfigKind kind = ConfigKind.valueOf(parts.group(1).toUpperCase(Locale.ROOT));
            return new Place(config, kind, ObjectKey.of(namespace, parts.group(3)), location.isOptional());
        } catch (ConfigException wrong) {
            if (!location.isOptional()) {
                throw wrong;
            }
            log.warn("starts without " + location + ", since no cluster is configured: " + wrong.getMessage());
            return null;
        }
    }

    private static WatchedConfig config(ConfigurableBootstrapContext bootstrap, Binder properties) {
        WatchedConfig config = bootstrap.getOrElse(WatchedConfig.class, null);
        if (config == null) {
            ClusterConfig given = bootstrap.getOrElse(ClusterConfig.class, null);
            ClusterConfig cluster = given == null ? cluster(properties) : given;
            Cluster read = cluster.cluster().blockOptional(READING).orElseThrow();
            Duration patience = properties.bind(CloudProperties.PREFIX + ".first-list-timeout", Duration.class)
                    .orElse(CloudProperties.FIRST_LIST_TIMEOUT);
            WatchedConfig begun = new WatchedConfig(cluster, read.namespace(), patience);
            bootstrap.register(WatchedConfig.class, InstanceSupplier.of(begun));
            bootstrap.addCloseListener(closed -> begun.register(closed.getApplicationContext().getBeanFactory()));
            return begun;
        }
        return config;
    }

    /** As the properties say; that they do not contradict each other is checked when the application's own client is made. */
    private static ClusterConfig cluster(Binder properties) {
        String url = properties.bind("reactive-informer.url", String.class).orElse("");
        String token = properties.bind("reactive-informer.token", String.class).orElse("");
        String context = properties.bind("reactive-informer.context", String.class).orElse("");
        List<Path> files = properties.bind("reactive-informer.kubeconfig", Bindable.listOf(Path.class)).orElse(List.of());
        if (!url.isBlank()) {
            return token.isBlank() ? ClusterConfig.of(url) : ClusterConfig.of(url).token(token);
        }
        ClusterConfig cluster = files.isEmpty() ? ClusterConfig.detect() : ClusterConfig.kubeconfig(files.toArray(Path[]::new));
        return context.isBlank() ? cluster : cluster.context(context);
    }

    private record Place(WatchedConfig config, ConfigKind kind, ObjectKey key, boolean optional) {

        ConfigSource source(ObjectKey object, String file, boolean absentIsFine) {
            return config.source(kind, object, file, optional, absentIsFine);
        }
    }

    /** What a location imports: nothing, unless it is a {@link ConfigSource}. */
    static class Imported extends ConfigDataResource {

        /** The properties in ascending order of priority. */
        List<PropertySource<?>> load(Log log) {
            return List.of();
        }
    }
}
