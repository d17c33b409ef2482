package io.reactiveinformer.spring;

import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Scope;
import io.reactiveinformer.spring.ReactiveInformerProperties.Declared;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.ClassUtils;

/** The type of the objects of a declared informer. */
final class DeclaredType {

    private static final String MODELS = "io.kubernetes.client.openapi.models.";

    private DeclaredType() {}

    /** @throws InformerConfigurationException if there is no such class, or no resource is known for it */
    static ResourceType<?> of(String informer, Declared declared) {
        ResourceType<?> type = whole(informer, declared);
        String projection = declared.projection();
        return projection == null || projection.isBlank()
                ? type
                : type.as(classOf(DeclaredInformers.property(informer) + ".projection", projection));
    }

    /** The class that {@link ReactiveInformerProperties.Declared#type} names, also if a projection of it is cached. */
    static Class<?> classOf(String informer, Declared declared) {
        return classOf(DeclaredInformers.property(informer) + ".type", declared.type());
    }

    private static ResourceType<?> whole(String informer, Declared declared) {
        Class<?> objects = classOf(informer, declared);
        boolean located = declared.group() != null || declared.version() != null || declared.plural() != null
                || declared.namespaced() != null;
        if (!located) {
            return model(DeclaredInformers.property(informer), objects);
        }
        String version = declared.version();
        String plural = declared.plural();
        if (version == null || version.isBlank() || plural == null || plural.isBlank()) {
            String missing = version == null || version.isBlank() ? ".version" : ".plural";
            throw new InformerConfigurationException(DeclaredInformers.property(informer) + missing + " is missing",
                    "Set version and plural, such as v1 and widgets, and group unless it is the core group.");
        }
        String group = Objects.requireNonNullElse(declared.group(), "");
        boolean namespaced = !Boolean.FALSE.equals(declared.namespaced());
        Scope scope = namespaced ? Scope.NAMESPACED : Scope.CLUSTER;
        return ResourceType.of(group, version, plural, scope, objects.asSubclass(Object.class));
    }

    private static ResourceType<?> model(String property, Class<?> objects) {
        try {
            return ResourceType.of(objects.asSubclass(Object.class));
        } catch (IllegalArgumentException unknown) {
            throw new InformerConfigurationException(
                    property + ".type: no resource of the server is known for " + objects.getName(),
                    instead(objects.getSimpleName(), "Set " + property + ".group, .version and .plural, such as example.com, v1 and"
                            + " widgets,\nor name one of the Kubernetes models, such as V1Pod."),
                    unknown);
        }
    }

    private static Class<?> classOf(String property, @Nullable String type) {
        if (type == null || type.isBlank()) {
            throw new InformerConfigurationException(property + " is missing", "Name a class of objects, such as V1Pod.");
        }
        String full = type.contains(".") ? type : MODELS + type;
        try {
            return ClassUtils.forName(full, ClassUtils.getDefaultClassLoader());
        } catch (ClassNotFoundException | LinkageError missing) {
            throw new InformerConfigurationException(
                    property + ": there is no class " + full,
                    instead(type, "Name one of the Kubernetes models, such as V1Pod, or the full name of a class of your own."),
                    missing);
        }
    }

    /** A proposal if a model has nearly this name, or this kind or plural. */
    private static String instead(String type, String otherwise) {
        List<String> models = models();
        String singular = type.toLowerCase(Locale.ROOT).replaceFirst("ies$", "y").replaceFirst("(?<=ss)es$|(?<!s)s$", "");
        List<String> kinds = models.stream().filter(model -> model.substring(2).toLowerCase(Locale.ROOT).equals(singular)).toList();
        List<String> near = !kinds.isEmpty() ? kinds : StrictNames.Spelling.nearest(type.substring(type.lastIndexOf('.') + 1), models);
        return near.isEmpty() ? otherwise : "Write " + String.join(" or ", near) + ". " + otherwise;
    }

    /** The simple names of the model classes of version v1 that are types of objects. Read only after a mistake. */
    private static List<String> models() {
        try {
            return Arrays.stream(new PathMatchingResourcePatternResolver().getResources(
                            "classpath*:" + MODELS.replace('.', '/') + "V1*.class"))
                    .map(file -> Objects.requireNonNull(file.getFilename()).replace(".class", ""))
                    .filter(name -> !name.contains("$") && isResource(name))
                    .sorted()
                    .toList();
        } catch (IOException unreadable) {
            return List.of(); // the proposal is a help, not a need
        }
    }

    private static boolean isResource(String model) {
        try {
            ResourceType.of(ClassUtils.forName(MODELS + model, ClassUtils.getDefaultClassLoader()).asSubclass(Object.class));
            return true;
        } catch (IllegalArgumentException | ClassNotFoundException | LinkageError other) {
            return false;
        }
    }
}
