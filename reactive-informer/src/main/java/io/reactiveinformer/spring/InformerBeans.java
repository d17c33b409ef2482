package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.ResourceEventHandler;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.view.Delivery;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;

/** Brings together what belongs together by its generic type: to each {@code Informer<T>}, the {@code Index<T, V>} and {@code ResourceEventHandler<T>} beans. */
final class InformerBeans {

    private final ConfigurableListableBeanFactory beans;
    private final ReactiveInformerProperties properties;

    InformerBeans(ConfigurableListableBeanFactory beans, ReactiveInformerProperties properties) {
        this.beans = beans;
        this.properties = properties;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // their types were compared
    void connect() {
        forEach(Informer.class, (informer, name) -> {
            Class<?> type = typeOf(Informer.class, name);
            Delivery delivery = deliveryTo(name);
            forEach(Index.class, (index, indexName) -> {
                if (Objects.equals(typeOf(Index.class, indexName), type)) {
                    informer.addIndex(index).subscribe();
                }
            });
            forEach(ResourceEventHandler.class, (handler, handlerName) -> {
                if (Objects.equals(typeOf(ResourceEventHandler.class, handlerName), type)) {
                    informer.addEventHandler(handler, delivery.and(Delivery.named(handlerName)));
                }
            });
        });
    }

    private <B> void forEach(Class<B> type, BiConsumer<B, String> action) {
        for (String name : beans.getBeanNamesForType(type)) {
            action.accept(beans.getBean(name, type), name);
        }
    }

    private Delivery deliveryTo(String informer) {
        Duration period = properties.informers().entrySet().stream()
                .filter(declared -> DeclaredInformers.beanOf(declared.getKey()).equals(informer))
                .map(declared -> declared.getValue().resync())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        return period == null ? Delivery.conflated() : Delivery.resync(period);
    }

    /** What {@code bean} is of, as its definition or its class tells; null where neither does. */
    private @Nullable Class<?> typeOf(Class<?> generic, String bean) {
        ResolvableType defined = beans.containsBeanDefinition(bean) ? beans.getMergedBeanDefinition(bean).getResolvableType() : ResolvableType.NONE;
        return Arrays.asList(defined, ResolvableType.forInstance(beans.getBean(bean))).stream()
                .map(type -> type.as(generic).getGeneric(0).resolve())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }
}
