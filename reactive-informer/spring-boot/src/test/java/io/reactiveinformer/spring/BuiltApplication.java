package io.reactiveinformer.spring;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.aot.AbstractAotProcessor.Settings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application as Boot's build processes it ahead of time, in a directory, with what was generated compiled. What is generated stands
 * beside the classes that it is for, and sees what only their package does: so this loads all classes of such packages anew. Of all others
 * there is but one, which a whole class path of its own would load again, in some ten seconds.
 */
final class BuiltApplication extends ClassLoader {

    private final Path directory;
    private final String initializer;
    private final Set<String> packages;

    private BuiltApplication(Path directory, String initializer, ClassLoader parent) throws IOException {
        super(parent);
        this.directory = directory;
        this.initializer = initializer;
        Path classes = directory.resolve("classes");
        try (Stream<Path> generated = Files.walk(classes)) {
            packages = generated.filter(Files::isRegularFile).map(file -> classes.relativize(file.getParent()).toString().replace('/', '.'))
                    .collect(Collectors.toSet());
        }
    }

    static BuiltApplication build(Path directory, Class<?> main, String... arguments) throws IOException {
        Settings settings = Settings.builder()
                .sourceOutput(directory.resolve("sources"))
                .resourceOutput(directory.resolve("resources"))
                .classOutput(directory.resolve("classes"))
                .groupId("example")
                .artifactId("shop")
                .build();
        var initializer = new SpringApplicationAotProcessor(main, settings, arguments).process();
        compile(settings.getSourceOutput(), Files.createDirectories(settings.getClassOutput()));
        return new BuiltApplication(directory, initializer.reflectionName(), main.getClassLoader());
    }

    private static void compile(Path sources, Path classes) throws IOException {
        List<String> options = List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"),
                "-d", classes.toString());
        try (Stream<Path> generated = Files.walk(sources)) {
            Stream<String> files = generated.map(Path::toString).filter(file -> file.endsWith(".java"));
            assertThat(ToolProvider.getSystemJavaCompiler()
                    .run(null, null, null, Stream.concat(options.stream(), files).toArray(String[]::new))).isZero();
        }
    }

    /** Where native-image reads what is reached by reflection. */
    Path reachabilityMetadata() {
        return directory.resolve("resources/META-INF/native-image/example/shop/reachability-metadata.json");
    }

    @SuppressWarnings("unchecked")
    ApplicationContextInitializer<ConfigurableApplicationContext> initializer() throws ReflectiveOperationException {
        return (ApplicationContextInitializer<ConfigurableApplicationContext>) loadClass(initializer)
                .getDeclaredConstructor().newInstance();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            if (!packages.contains(name.substring(0, Math.max(0, name.lastIndexOf('.'))))) {
                return super.loadClass(name, resolve);
            }
            Class<?> known = findLoadedClass(name);
            return known != null ? known : findClass(name);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        Path generated = directory.resolve("classes").resolve(file);
        try (InputStream code = Files.exists(generated) ? Files.newInputStream(generated) : getResourceAsStream(file)) {
            if (code == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = code.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }
}
