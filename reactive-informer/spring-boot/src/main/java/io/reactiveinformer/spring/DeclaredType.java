package io.reactiveinformer.spring;

import io.reactiveinformer.resource.ResourceType;
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
        String property = DeclaredInformers.property(informer) + ".type";
        Class<?> objects = classOf(property, declared.type());
        try {
            return ResourceType.of(objects.asSubclass(Object.class));
        } catch (IllegalArgumentException unknown) {
            throw new InformerConfigurationException(
                    property + ": " + objects.getName() + " is no type of objects on the server",
                    instead(objects.getSimpleName(), "Name one of the Kubernetes models, such as V1Pod, or define an Informer bean."),
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
        String kind = models.stream().filter(model -> model.substring(2).toLowerCase(Locale.ROOT).equals(singular)).findFirst().orElse(null);
        String near = kind != null ? kind : Spelling.nearest(type.substring(type.lastIndexOf('.') + 1), models);
        return near == null ? otherwise : "Write " + near + ". " + otherwise;
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
