package io.reactiveinformer;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What users can call, as text: a file of the repository, so that a change of it is seen in review. Run the test again with
 * {@code -Dapi.update=true} after a change on purpose.
 */
public final class PublicApi {

    private PublicApi() {}

    /** Compares the public types of {@code classes} with {@code docs/api/NAME.txt}. */
    public static void isAsReviewed(JavaClasses classes, String name) {
        Path file = Path.of("../../docs/api/" + name + ".txt");
        List<String> now = lines(classes);
        try {
            if (Boolean.getBoolean("api.update")) {
                Files.createDirectories(file.getParent());
                Files.write(file, now);
            }
            assertThat(Files.readAllLines(file)).as("the public API; if the change is on purpose, run this test with -Dapi.update=true, and add a"
                    + " line to CHANGELOG.md").isEqualTo(now);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static List<String> lines(JavaClasses classes) {
        List<String> lines = new ArrayList<>();
        classes.stream()
                .filter(type -> !type.getPackageName().contains(".internal") && isOpen(type))
                .sorted((one, other) -> one.getName().compareTo(other.getName()))
                .forEach(type -> lines.addAll(lines(type.reflect())));
        return lines;
    }

    /** Whether it is public or protected, and all types around it are. */
    private static boolean isOpen(JavaClass type) {
        int modifiers = type.reflect().getModifiers();
        return (Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers))
                && type.getEnclosingClass().map(PublicApi::isOpen).orElse(true)
                && !type.isAnonymousClass() && !type.isLocalClass();
    }

    private static List<String> lines(Class<?> type) {
        var members = new TreeSet<String>();
        Stream.of(type.getDeclaredConstructors()).filter(PublicApi::isVisible).map(each -> each.toGenericString()).forEach(members::add);
        Stream.of(type.getDeclaredMethods()).filter(method -> isVisible(method) && !method.isBridge())
                .map(each -> each.toGenericString()).forEach(members::add);
        Stream.of(type.getDeclaredFields()).filter(PublicApi::isVisible).map(each -> each.toGenericString()).forEach(members::add);
        List<String> lines = new ArrayList<>(List.of(head(type)));
        members.forEach(member -> lines.add("    " + member.replace(type.getName() + ".", "").replace("java.lang.", "")));
        return lines;
    }

    private static String head(Class<?> type) {
        String above = Stream.concat(Stream.ofNullable(type.getGenericSuperclass()), Arrays.stream(type.getGenericInterfaces()))
                .map(java.lang.reflect.Type::getTypeName)
                .filter(name -> !name.startsWith("java.lang.Object") && !name.contains(".internal."))
                .sorted()
                .reduce((one, other) -> one + ", " + other)
                .map(names -> " : " + names)
                .orElse("");
        String declared = type.toGenericString().replace(" non-sealed", "").replace(" sealed", ""); // JDK 17 says neither
        return (type.isSealed() ? "sealed " : "") + declared + above;
    }

    private static boolean isVisible(Member member) {
        return (Modifier.isPublic(member.getModifiers()) || Modifier.isProtected(member.getModifiers())) && !member.isSynthetic();
    }
}
