package io.reactiveinformer;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static org.assertj.core.api.Assertions.assertThat;

/** What the test kit and its API server show to users. */
@AnalyzeClasses(
        packages = {"io.reactiveinformer.test", "io.reactiveinformer.apiserver"}, importOptions = ImportOption.DoNotIncludeTests.class)
class KitArchitectureTest {

    @ArchTest
    static final ArchRule usersNeedNotNameWhatIsInternal = ArchitectureTest.usersNeedNotNameWhatIsInternal;

    @ArchTest
    static void fewTypesArePublic(JavaClasses kit) {
        assertThat(AllModulesArchitectureTest.publicTypes(kit)).hasSizeBetween(20, 30);
    }

    @ArchTest
    static void theApiIsAsReviewed(JavaClasses kit) {
        PublicApi.isAsReviewed(kit, "test-kit");
    }
}
