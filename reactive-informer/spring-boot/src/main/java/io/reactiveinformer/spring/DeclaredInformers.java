package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.spring.ReactiveInformerProperties.Declared;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.warmstart.WarmStartStorage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** Makes the informers that properties declare. */
final class DeclaredInformers {

    static final String METHOD = "informer";

    private static final Pattern EVERY = Pattern.compile("conflated|every\\(([1-9]\\d{0,8})\\)");
    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    /** Terms with one operator each; in a value, a backslash escapes the next character. */
    private static final Pattern FIELDS = Pattern.compile("TERM(,TERM)*".replace("TERM", "[^=!,\\\\]+(!=|==?)([^=,\\\\]|\\\\.)*+"));


    private final ObjectProvider<InformerFactory> informers;
    private final ReactiveInformerProperties properties;
    private final @Nullable WarmStartStorage snapshots;
    private final Set<Informer<?>> optional = ConcurrentHashMap.newKeySet();
    private final Set<Informer<?>> required = ConcurrentHashMap.newKeySet();

    /**
     * @param informers gives the only factory, or the primary one
     * @param snapshots where an informer saves its objects, if it is declared so
     */
    DeclaredInformers(
            ObjectProvider<InformerFactory> informers, ReactiveInformerProperties properties, @Nullable WarmStartStorage snapshots) {
        this.informers = informers;
        this.properties = properties;
        this.snapshots = snapshots;
    }

    /** Whether the application is ready although {@code informer} is not synced: each of its declarations says so. */
    boolean optional(Informer<?> informer) {
        return optional.contains(informer) && !required.contains(informer);
    }

    static String beanOf(String name) {
        return name + "Informer";
    }

    static String property(String name) {
        return ReactiveInformerProperties.PREFIX + ".informers." + name;
    }

    /** Called by the bean factory, for the bean of {@code name}. */
    Informer<?> informer(String name) {
        Declared declared = properties.informers().get(name);
        if (declared == null) {
            throw new IllegalStateException(property(name) + " was declared when the application started, and is no longer");
        }
        Informer<?> informer = made(name, spec(name, declared));
        (declared.optional() ? optional : required).add(informer);
        return informer;
    }

    private Informer<?> made(String name, InformerSpec<?> spec) {
        try {
            return informers.getObject().of(spec);
        } catch (IllegalArgumentException wrong) {
            throw new InformerConfigurationException(
                    property(name) + ": " + wrong.getMessage(), "Correct the class " + spec.type().objectClass().getName() + ".", wrong);
        }
    }

    private InformerSpec<?> spec(String name, Declared declared) {
        delivery(name, declared);
        ResourceType<?> type = DeclaredType.of(name, declared);
        Selector selector = selector(name, "labels", declared.labels()).and(selector(name, "fields", declared.fields()));
        InformerSpec<?> spec = InformerSpec.of(type).withNamespaces(namespaces(name, type, declared)).withSelector(selector)
                .withOptions(lists(name, declared));
        if (declared.optional()) {
            spec = spec.withRefusedAsEmpty(403, 404);
        }
        Boolean warm = declared.warmStart();
        if (warm == null) {
            return spec;
        }
        if (warm && snapshots == null) {
            throw new InformerConfigurationException(
                    property(name) + ".warm-start needs " + ReactiveInformerProperties.PREFIX + ".snapshots",
                    "Set " + ReactiveInformerProperties.PREFIX + ".snapshots to a directory, or define a WarmStartStorage bean.");
        }
        return warm && snapshots != null ? spec.withWarmStart(snapshots) : spec.withColdStart();
    }

    private static UnaryOperator<ReflectorOptions> lists(String name, Declared declared) {
        Boolean streaming = declared.streamingLists();
        Integer pageSize = declared.pageSize();
        if (pageSize != null && pageSize < 1) {
            throw new InformerConfigurationException(
                    property(name) + ".page-size must be at least 1, was " + pageSize, "Set it to a number of objects, such as 500.");
        }
        return options -> {
            ReflectorOptions streamed = streaming == null ? options : options.withStreaming(streaming);
            return pageSize == null ? streamed : streamed.withPageSize(pageSize);
        };
    }

    /** The delivery to the handlers that are beans. */
    static Delivery delivery(String name, Declared declared) {
        Matcher every = EVERY.matcher(declared.delivery().strip());
        if (!every.matches()) {
            throw new InformerConfigurationException(property(name) + ".delivery: \"" + declared.delivery() + "\" is no delivery",
                    "Write conflated, or every(n), where n is the number of changes that may wait, such as every(256).");
        }
        Delivery delivery = every.group(1) == null ? Delivery.conflated() : Delivery.every(Integer.parseInt(every.group(1)));
        Duration resync = declared.resync();
        if (resync != null && (resync.isNegative() || resync.isZero())) {
            throw new InformerConfigurationException(
                    property(name) + ".resync must be longer than zero, was " + resync, "Set a period such as 10m, or remove it.");
        }
        return resync == null ? delivery : delivery.resync(resync);
    }

    /** Those of all informers are for the types that have namespaces. */
    private Namespaces namespaces(String name, ResourceType<?> type, Declared declared) {
        List<String> common = type.namespaced() ? properties.namespaces() : List.of();
        List<String> namespaces = declared.namespaces().isEmpty() ? common : declared.namespaces();
        if (!type.namespaced() && !namespaces.isEmpty()) {
            throw new InformerConfigurationException(
                    property(name) + ".namespaces: " + type + " are cluster-scoped", "Remove " + property(name) + ".namespaces.");
        }
        namespaces.stream().filter(one -> !NAMESPACE.matcher(one).matches()).findFirst().ifPresent(wrong -> {
            throw new InformerConfigurationException(
                    (declared.namespaces().isEmpty() ? ReactiveInformerProperties.PREFIX : property(name)) + ".namespaces: \"" + wrong
                            + "\" is no name of a namespace", "List names of namespaces, such as shop,tools.");
        });
        return namespaces.isEmpty() ? Namespaces.all() : Namespaces.of(namespaces);
    }

    private static Selector selector(String name, String property, String text) {
        boolean labels = property.equals("labels");
        try {
            if (!labels && !text.isEmpty() && !FIELDS.matcher(text).matches()) { // the server would answer each try with 400
                throw new IllegalArgumentException("cannot parse the field selector \"" + text + "\": expected terms such as a=b");
            }
            return text.isEmpty() ? Selector.any() : labels ? Selector.labels(text) : Selector.fields(text);
        } catch (IllegalArgumentException wrong) {
            throw new InformerConfigurationException(property(name) + "." + property + ": " + wrong.getMessage(),
                    "Write the selector as kubectl takes it, such as " + (labels ? "app=web,tier!=db." : "spec.nodeName=n1."), wrong);
        }
    }

    /**
     * Defines a bean of the type {@code Informer<T>} for each informer that properties declare, so that it can be injected by that type.
     */
    static final class Registrar implements ImportBeanDefinitionRegistrar {

        private final Environment environment;

        Registrar(Environment environment) {
            this.environment = environment;
        }

        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            StrictNames.check(environment);
            Binder.get(environment)
                    .bind(ReactiveInformerProperties.PREFIX + ".informers", Bindable.mapOf(String.class, Declared.class))
                    .orElse(Map.of())
                    .forEach((name, declared) -> register(name, declared, registry));
        }

        private static void register(String name, Declared declared, BeanDefinitionRegistry registry) {
            String bean = DeclaredInformers.beanOf(name);
            if (registry.containsBeanDefinition(bean)) {
                return; // the application has its own
            }
            var definition = new RootBeanDefinition();
            definition.setTargetType(ResolvableType.forClassWithGenerics(Informer.class, DeclaredType.of(name, declared).objectClass()));
            definition.setFactoryBeanName("declaredInformers");
            definition.setFactoryMethodName(DeclaredInformers.METHOD);
            definition.setAttribute(InformerAotProcessor.TYPE, DeclaredType.classOf(name, declared));
            definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
            registry.registerBeanDefinition(bean, definition);
        }
    }
}
