package io.reactiveinformer.cloud;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cache.Cache;
import org.springframework.cloud.loadbalancer.cache.LoadBalancerCacheManager;
import org.springframework.cloud.loadbalancer.core.CachingServiceInstanceListSupplier;

/**
 * Makes the load balancer's cache leave out the services of the catalogue, which is in memory itself.
 *
 * <p>The load balancer caches each list of instances for 35 s by default. It would not be enough to write each change into that cache: a
 * call that has read the list before the change may write it after the change. What is never cached is never outdated, also in chains of
 * suppliers that an application builds itself. Other services are cached as without this class.
 */
final class CurrentCaches implements BeanPostProcessor {

    private final ObjectProvider<ServiceCatalogue> catalogue;

    /** @param catalogue resolved at the first use of a cache, so that this post-processor creates no beans early */
    CurrentCaches(ObjectProvider<ServiceCatalogue> catalogue) {
        this.catalogue = catalogue;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return bean instanceof LoadBalancerCacheManager caches ? new CurrentCacheManager(caches, catalogue::getObject) : bean;
    }

    private record CurrentCacheManager(LoadBalancerCacheManager caches, Supplier<ServiceCatalogue> catalogue)
            implements LoadBalancerCacheManager {

        @Override
        public @Nullable Cache getCache(String name) {
            Cache cache = caches.getCache(name);
            boolean ofInstances = name.equals(CachingServiceInstanceListSupplier.SERVICE_INSTANCE_CACHE_NAME);
            return cache == null || !ofInstances ? cache : new CacheOfOthers(cache, catalogue.get());
        }

        @Override
        public Collection<String> getCacheNames() {
            return caches.getCacheNames();
        }
    }

    /** A cache of lists of instances by service id, without those of the catalogue. */
    private record CacheOfOthers(Cache cache, ServiceCatalogue catalogue) implements Cache {

        /** Also a list with instances of the catalogue, if its service was deleted since the list was read. */
        private boolean isCurrent(Object key, @Nullable Object value) {
            return catalogue.has(key.toString())
                    || value instanceof List<?> instances && instances.stream().anyMatch(ClusterInstance.class::isInstance);
        }

        @Override
        public String getName() {
            return cache.getName();
        }

        @Override
        public Object getNativeCache() {
            return cache.getNativeCache();
        }

        @Override
        public @Nullable ValueWrapper get(Object key) {
            return catalogue.has(key.toString()) ? null : cache.get(key);
        }

        @Override
        public <T> @Nullable T get(Object key, @Nullable Class<T> type) {
            return catalogue.has(key.toString()) ? null : cache.get(key, type);
        }

        @Override
        public <T> @Nullable T get(Object key, Callable<T> loader) {
            if (!catalogue.has(key.toString())) {
                return cache.get(key, loader);
            }
            try {
                return loader.call();
            } catch (Exception thrown) {
                throw new ValueRetrievalException(key, loader, thrown);
            }
        }

        @Override
        public void put(Object key, @Nullable Object value) {
            if (!isCurrent(key, value)) {
                cache.put(key, value);
            }
        }

        @Override
        public void evict(Object key) {
            cache.evict(key);
        }

        @Override
        public void clear() {
            cache.clear();
        }
    }
}
