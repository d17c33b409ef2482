package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.ResourceEventHandler;
import io.reactiveinformer.spring.ReactiveInformerProperties.Declared;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.view.Delivery;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import reactor.core.publisher.Mono;

/**
 * Connects beans by their generic type: adds the {@code Index<T, V>} and {@code ResourceEventHandler<T>} beans to each {@code Informer<T>}
 * bean.
 */
final class InformerBeans {

    private final ConfigurableListableBeanFactory beans;
    private final ReactiveInformerProperties properties;
    private final Map<Informer<?>, Map<String, ResourceEventHandler.Registration>> handlers = new ConcurrentHashMap<>();

    InformerBeans(ConfigurableListableBeanFactory beans, ReactiveInformerProperties properties) {
        this.beans = beans;
        this.properties = properties;
    }

    @SuppressWarnings("rawtypes")
    void connect() {
        Map<Informer, List<String>> names = new LinkedHashMap<>();
        forEach(Informer.class, (informer, name) -> names.computeIfAbsent(informer, first -> new ArrayList<>()).add(name));
        names.forEach(this::connect);
    }

    /** @param names of the beans that are this informer: two beans for the same objects are one informer */
    @SuppressWarnings({"unchecked", "rawtypes"}) // their types were compared
    private void connect(Informer informer, List<String> names) {
        Class<?> type = names.stream().<@Nullable Class<?>>map(name -> typeOf(Informer.class, name))
                .filter(Objects::nonNull).findFirst().orElse(null);
        if (type == null) {
            return; // another bean of unknown type need not be of the same type
        }
        Delivery delivery = deliveryTo(names);
        forEach(Index.class, (index, name) -> {
            if (type.equals(typeOf(Index.class, name))) {
                Mono<?> added = informer.addIndex(index);
                if (added != null) { // as of each informer but a mock in a test
                    added.subscribe();
                }
            }
        });
        forEach(ResourceEventHandler.class, (handler, name) -> {
            if (type.equals(typeOf(ResourceEventHandler.class, name))) {
                ResourceEventHandler.Registration registration = informer.addEventHandler(handler, delivery.named(name));
                if (registration != null) { // likewise
                    handlers.computeIfAbsent(informer, first -> new ConcurrentHashMap<>()).put(name, registration);
                }
            }
        });
    }

    /** The names of the handler beans of {@code informer} that receive no more changes: none removes them, so their delivery failed. */
    List<String> ended(Informer<?> informer) {
        return handlers.getOrDefault(informer, Map.of()).entrySet().stream()
                .filter(handler -> handler.getValue().isDisposed()).map(Map.Entry::getKey).sorted().toList();
    }

    private <B> void forEach(Class<B> type, BiConsumer<B, String> action) {
        for (String name : beans.getBeanNamesForType(type)) {
            action.accept(beans.getBean(name, type), name);
        }
    }

    /**
     * The delivery to handlers of an informer that is declared under these names: that of a name with {@code every(n)}
     * before another one, then that of the name with the shortest resync period.
     */
    private Delivery deliveryTo(List<String> informer) {
        return properties.informers().entrySet().stream()
                .filter(declared -> informer.contains(DeclaredInformers.beanOf(declared.getKey())))
                .min(Comparator.comparing((Map.Entry<String, Declared> one) -> one.getValue().delivery().startsWith("every") ? 0 : 1)
                        .thenComparing(one -> one.getValue().resync(), Comparator.nullsLast(Comparator.naturalOrder())))
                .map(declared -> DeclaredInformers.delivery(declared.getKey(), declared.getValue()))
                .orElse(Delivery.conflated());
    }

    /** The first type argument of {@code bean}, by its definition or its class; null if neither shows it. */
    private @Nullable Class<?> typeOf(Class<?> generic, String bean) {
        ResolvableType defined = beans.containsBeanDefinition(bean)
                ? beans.getMergedBeanDefinition(bean).getResolvableType() : ResolvableType.NONE;
        return Arrays.asList(defined, ResolvableType.forInstance(beans.getBean(bean))).stream()
                .map(type -> type.as(generic).getGeneric(0).resolve())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }
}
