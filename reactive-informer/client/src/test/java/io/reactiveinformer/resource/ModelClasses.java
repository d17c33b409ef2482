package io.reactiveinformer.resource;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Pod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The model classes that are there, from the jar itself. */
public final class ModelClasses {

    private static final Pattern MODEL = Pattern.compile("io/kubernetes/client/openapi/models/([A-Za-z0-9]+)\\.class");

    private ModelClasses() {}

    /** All that are {@link KubernetesObject}s, by name. */
    public static List<Class<? extends KubernetesObject>> objects() {
        return all().stream()
                .filter(KubernetesObject.class::isAssignableFrom)
                .<Class<? extends KubernetesObject>>map(model -> model.asSubclass(KubernetesObject.class))
                .toList();
    }

    /** All, nested ones apart. */
    public static List<Class<?>> all() {
        try (JarFile jar = new JarFile(Path.of(V1Pod.class.getProtectionDomain().getCodeSource().getLocation().toURI()).toFile())) {
            return jar.stream()
                    .map(entry -> MODEL.matcher(entry.getName()))
                    .filter(Matcher::matches)
                    .<Class<?>>map(name -> load(name.group(1)))
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (URISyntaxException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(V1Pod.class.getPackageName() + "." + name, false, V1Pod.class.getClassLoader());
        } catch (ClassNotFoundException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
