package io.reactiveinformer.test.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test a {@link io.reactiveinformer.test.FakeApiServer} that listens: as a field or as a parameter.
 *
 * <pre>{@code
 * class MyControllerTest {
 *     @FakeCluster("cluster.yaml") FakeApiServer server;      // an instance field: a fresh one for each test
 *     @FakeCluster static FakeApiServer shared;               // a static field: one for the class, emptied after each test
 *
 *     @FakeCluster FakeApiServer secure = FakeApiServer.builder().tls().with(pod).build();     // made by the test, started and stopped here
 *
 *     @Test void reconciles(@FakeCluster FakeApiServer own) {}
 * }
 * }</pre>
 *
 * <p>Where a class has one instance for all its tests, its instance fields are as static ones. To a failure of a test, or of what runs before each,
 * the {@link io.reactiveinformer.test.FakeApiServer#log} of its servers is attached as a suppressed exception, which every runner prints.
 */
@Documented
@Target({ElementType.FIELD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(FakeClusterExtension.class)
public @interface FakeCluster {

    /** YAML or JSON files on the class path, beside the test class or from the root with a slash; their objects are created first. */
    String[] value() default {};

    /** For uids, generated names and timeouts. Without meaning for a server that the test made. */
    long seed() default 1;
}
