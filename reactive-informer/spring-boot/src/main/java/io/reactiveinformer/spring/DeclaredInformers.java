package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.spring.ReactiveInformerProperties.Declared;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;

/** Makes the informers that properties declare. */
final class DeclaredInformers {

    static final String METHOD = "informer";
    private static final String MODELS = "io.kubernetes.client.openapi.models.";

    private final ObjectProvider<InformerFactory> informers;
    private final ReactiveInformerProperties properties;

    /** @param informers gives the only factory, or the primary one */
    DeclaredInformers(ObjectProvider<InformerFactory> informers, ReactiveInformerProperties properties) {
        this.informers = informers;
        this.properties = properties;
    }

    static String beanOf(String name) {
        return name + "Informer";
    }

    /** @throws IllegalArgumentException if there is no such class */
    static Class<?> typeOf(String name, Declared declared) {
        String type = declared.type();
        if (type == null || type.isBlank()) {
            throw new IllegalArgumentException(property(name) + ".type is missing: name a class of objects, such as V1Pod");
        }
        String full = type.contains(".") ? type : MODELS + type;
        try {
            return ClassUtils.forName(full, ClassUtils.getDefaultClassLoader());
        } catch (ClassNotFoundException | LinkageError missing) {
            throw new IllegalArgumentException(property(name) + ".type: there is no class " + full
                    + "; name one of the Kubernetes models, such as V1Pod, or define an Informer bean for a type of your own", missing);
        }
    }

    private static String property(String name) {
        return ReactiveInformerProperties.PREFIX + ".informers." + name;
    }

    /** Called by the bean factory, for the bean of {@code name}. */
    Informer<?> informer(String name) {
        Declared declared = properties.informers().get(name);
        if (declared == null) {
            throw new IllegalStateException(property(name) + " was declared when the application started, and is no longer");
        }
        try {
            return informers.getObject().of(spec(typeOf(name, declared), declared));
        } catch (IllegalArgumentException wrong) {
            throw wrong.getMessage() != null && wrong.getMessage().startsWith(property(name))
                    ? wrong
                    : new IllegalArgumentException(property(name) + ": " + wrong.getMessage(), wrong);
        }
    }

    private InformerSpec<?> spec(Class<?> modelClass, Declared declared) {
        ResourceType<?> type = ResourceType.of(modelClass.asSubclass(Object.class));
        List<String> common = type.namespaced() ? properties.namespaces() : List.of(); // set for all informers, applied to namespaced types
        List<String> namespaces = declared.namespaces().isEmpty() ? common : declared.namespaces();
        Selector selector = Selector.any();
        selector = declared.labels().isEmpty() ? selector : selector.and(Selector.labels(declared.labels()));
        selector = declared.fields().isEmpty() ? selector : selector.and(Selector.fields(declared.fields()));
        return InformerSpec.of(type)
                .in(namespaces.isEmpty() ? Namespaces.all() : Namespaces.of(namespaces))
                .select(selector);
    }
}
