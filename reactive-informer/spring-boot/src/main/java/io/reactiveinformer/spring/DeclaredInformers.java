package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.spring.ReactiveInformerProperties.Declared;
import java.util.List;
import java.util.regex.Pattern;
import org.springframework.beans.factory.ObjectProvider;

/** Makes the informers that properties declare. */
final class DeclaredInformers {

    static final String METHOD = "informer";

    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    /** Terms with one operator each; in a value, a backslash escapes the next character. */
    private static final Pattern FIELDS = Pattern.compile("TERM(,TERM)*".replace("TERM", "[^=!,\\\\]+(!=|==?)([^=,\\\\]|\\\\.)*+"));


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

    static String property(String name) {
        return ReactiveInformerProperties.PREFIX + ".informers." + name;
    }

    /** Called by the bean factory, for the bean of {@code name}. */
    Informer<?> informer(String name) {
        Declared declared = properties.informers().get(name);
        if (declared == null) {
            throw new IllegalStateException(property(name) + " was declared when the application started, and is no longer");
        }
        return informers.getObject().of(spec(name, declared));
    }

    private InformerSpec<?> spec(String name, Declared declared) {
        ResourceType<?> type = DeclaredType.of(name, declared);
        Selector selector = selector(name, "labels", declared.labels()).and(selector(name, "fields", declared.fields()));
        return InformerSpec.of(type).withNamespaces(namespaces(name, type, declared)).withSelector(selector);
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
}
