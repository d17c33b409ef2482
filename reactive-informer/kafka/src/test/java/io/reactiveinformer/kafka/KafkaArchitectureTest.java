package io.reactiveinformer.kafka;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import io.reactiveinformer.PublicApi;

/** The public API of this module is in docs/api/kafka.txt. */
@AnalyzeClasses(packages = "io.reactiveinformer.kafka", importOptions = ImportOption.DoNotIncludeTests.class)
class KafkaArchitectureTest {

    @ArchTest
    static void theApiIsAsReviewed(JavaClasses module) {
        PublicApi.isAsReviewed(module, "kafka");
    }
}
