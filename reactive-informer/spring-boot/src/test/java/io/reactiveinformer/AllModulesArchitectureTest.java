package io.reactiveinformer;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** The rules of ArchitectureTest, for all modules of the library together. */
@AnalyzeClasses(packages = ArchitectureTest.BASE, importOptions = ArchitectureTest.TheLibrary.class)
class AllModulesArchitectureTest {

    @ArchTest
    static final ArchTests RULES = ArchTests.in(ArchitectureTest.class);

    /**
     * A type that users do not need is package-private, or in a package named internal. The seven for authors of operators (owner,
     * applier, conditions, finalizer, status writer, dependents, definition check) are what nearly each of them writes by hand otherwise.
     */
    @ArchTest
    static void fewTypesArePublic(JavaClasses library) {
        int ofTheLibrary = 111;
        int ofOperators = 7;
        int ofTests = 3; // TestInformer, ReactiveInformerTest and KubernetesConnectionDetails, of the tests of a Boot application
        int ofTopics = 4; // KafkaViews, KafkaTopic, RowCodec and SupersededException
        int ofStreams = 4; // RowStream, StreamOptions, StreamRequest and UserRights, to browsers
        int ofThePage = 1; // Dashboard, for web servers without Spring Boot
        assertThat(publicTypes(library)).as("public types; make it package-private, nested or internal")
                .hasSizeBetween(90, ofTheLibrary + ofOperators + ofTests + ofTopics + ofStreams + ofThePage);
    }

    @ArchTest
    static void theApiIsAsReviewed(JavaClasses library) {
        PublicApi.isAsReviewed(library, "library");
    }

    static List<String> publicTypes(JavaClasses classes) {
        return classes.stream()
                .filter(type -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
                .map(JavaClass::getName)
                .filter(name -> !name.contains(".internal."))
                .sorted()
                .toList();
    }
}
